# Many resources at once in a whole run: every address that is told is the right one, and nothing is told twice or left out.
. "$SUPPORT/recorder.sh"
. "$SUPPORT/wrapped.sh"
wrapped terraform-provider-time hashicorp/time 0.13.1 --dev

# How often both integrations were asked. An address that they were told must be that of the object; where it is said "all", every
# resource must have one, as Terraform says it.
told() {
  python3 - "$@" << 'END'
import collections, datetime, json, os, sys
first = datetime.datetime(2027, 1, 1, tzinfo=datetime.timezone.utc)
for name in ("one", "other"):
    hooks = collections.Counter()
    for line in open(name + ".jsonl"):
        event = json.loads(line)
        hooks[event["method"]] += 1
        params = event["params"]
        if "resource" not in params:
            continue
        states = [params.get(state) or {} for state in ("prior_state", "planned_state", "proposed_state", "new_state")]
        [moment, *_] = [state["rfc3339"] for state in states if state.get("rfc3339")]
        passed = datetime.datetime.fromisoformat(moment.replace("Z", "+00:00")) - first
        address, source = params["resource"]["address"], params["resource"]["address_source"]
        expected = f"time_static.one[{int(passed.total_seconds())}]"
        assert (address, source) in [(expected, "stream")] + [(None, "none")] * ("all" not in sys.argv), (event["method"], address, expected)
    print(name, dict(sorted(hooks.items())))
    os.remove(name + ".jsonl")
END
}

step "an apply"
quiet denobridge run -- terraform apply -json -auto-approve -parallelism=100
told

step "a plan that replaces all of them: Terraform says which is which when it reads them"
denobridge run -- terraform plan -json -parallelism=100 -var year=2028 > said.jsonl || fail "$(tail -n 20 said.jsonl)"
told all
python3 -c 'import json; [json.loads(line) for line in open("said.jsonl")]'

step "one report for each"
ls report/*.jsonl | wc -l
