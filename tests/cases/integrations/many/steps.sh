# Many resources at once around a wrapped provider: nothing that is said is folded into something else, nothing waits for
# ever, and memory has a bound.
. "$SUPPORT/recorder.sh"
sed -i "s|SUPPORT|$SUPPORT|g" three.toml
. "$SUPPORT/wrapped.sh"
wrapped terraform-provider-time hashicorp/time 0.13.1 --dev

step "ten resources, ten warnings, for machines and for people"
terraform plan -json > plan.jsonl
python3 -c '
import json
lines = [json.loads(line) for line in open("plan.jsonl")]
said = [line["diagnostic"]["summary"] for line in lines if line["type"] == "diagnostic"]
said = [line for line in said if line.startswith("[recorder]")]
print(len(said), "lines,", len(set(said)), "of them different")
print(sorted(said)[0])'
terraform plan -no-color > plan.txt
grep -c '^Warning: \[recorder\]' plan.txt
grep -c 'similar warning' plan.txt

step "two thousand resources and three integrations, hundreds at once"
export DENOBRIDGE_INTEGRATIONS=$PWD/three.toml
peak() {
  # The most memory that the provider's process has had so far, in MiB.
  local most=0 now id
  while kill -0 "$1" 2> /dev/null; do
    for id in $(pgrep -P "$1" -f terraform-provider); do
      now=$(sed -n 's/^VmHWM:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$id/status" 2> /dev/null)
      [ "${now:-0}" -le "$most" ] || most=$now
    done
    sleep 0.2
  done
  echo $((most / 1024)) > peak.txt
}
terraform plan -no-color -parallelism=300 -var many=2000 > many.txt 2>&1 &
terraform=$!
peak "$terraform"
wait "$terraform" || fail "$(tail -n 20 many.txt)"
grep '^Plan:' many.txt
for one in first second third; do
  python3 -c '
import collections, json, sys
print(sys.argv[1], dict(sorted(collections.Counter(json.loads(line)["method"] for line in open(sys.argv[1])).items())))' "$one.jsonl"
done
echo "the process of the wrapper had $(cat peak.txt) MiB at most" >&2
[ "$(cat peak.txt)" -gt 0 ] && [ "$(cat peak.txt)" -lt 200 ] || fail "its process had $(cat peak.txt) MiB"
