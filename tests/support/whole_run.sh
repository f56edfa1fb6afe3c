# A whole run with the integration `budget`, around the embedded provider and terraform-provider-time, which is wrapped. Sourced by
# cases with the files of tests/cases/integrations/run. $host is what runs: terraform, or tofu.

export DENOBRIDGE_INTEGRATIONS=$PWD/integrations.toml
export TF_CLI_CONFIG_FILE=$SANDBOX/cli.tfrc
denobridge wrap "$PROGRAMS/terraform-provider-time" --as hashicorp/time --version 0.13.1 --dir "$SANDBOX/mirror" --dev > wrap.txt
time=$(sed -nE 's/.*"registry.terraform.io\/hashicorp\/time" = "(.*)"/\1/p' wrap.txt)
printf 'provider_installation {\n  dev_overrides {\n    "brad-jones/denobridge" = "%s"\n    "hashicorp/time" = "%s"\n  }\n  direct {}\n}\n' \
  "$PROGRAMS" "$time" > "$TF_CLI_CONFIG_FILE"
"$host" get > /dev/null

# Folders of runs are of this case only.
export TMPDIR=$SANDBOX/tmp
mkdir "$TMPDIR"
around() { denobridge run -- "$@"; }
# What the command ends with, and of what it says what matters here.
brief() {
  local code=0
  around "$@" > said.txt 2> told.txt || code=$?
  printf '$ %s\n(exit code %s)\n' "$*" "$code"
  grep -E '^(error|warning|denobridge run): ' told.txt || true
  grep -oE 'Plan: .*|Apply complete!.*|Destroy complete!.*|Error: .*' said.txt told.txt | sed 's/^[a-z.]*://' | sort -u
}
# A budget that two of the three things to create exceed, and one that gives no answer.
exceeded() {
  LIMIT=2 brief "$host" apply -auto-approve -no-color
  asked
  on_disk record.json
}
unanswered() {
  BROKEN=1 brief "$host" apply -auto-approve -no-color
  on_disk record.json
  rm -r asked.txt report
  refused env BROKEN=1 "$host" apply -auto-approve -no-color 2>&1 | grep '^Error: \[' | sort -u
  on_disk record.json
  rm -r asked.txt report
}
# Events of both providers come side by side: what is asked about resources is sorted; stages have an order.
asked() {
  grep -E 'started|ended' asked.txt
  grep -A1 stage asked.txt | sed -E 's/^[0-9]+ //; /^--$/d'
  grep -v 'stage\|started\|ended\|^ ' asked.txt | sed -E 's/^[0-9]+ //; s/[0-9-]+T[0-9:]+Z/MOMENT/g' | sort
  # One report, and one sequence for all of it: no number twice, and none left out.
  same "$(ls report/*.jsonl | wc -l)" 1 "reports"
  python3 - report/*.jsonl << 'END'
import json, sys
lines = map(json.loads, open(sys.argv[1]))
numbers = sorted(line["params"]["run"]["seq"] for line in lines if line["kind"] == "event")
assert numbers == list(range(1, len(numbers) + 1)), numbers
END
  mkdir -p kept
  mv report/*.jsonl kept/
  rm asked.txt
}
