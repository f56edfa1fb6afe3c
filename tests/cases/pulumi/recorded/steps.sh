# A create that fails is recorded, and played where neither the script nor Deno nor any secret is.
stack
quiet pulumi config set --secret password canary-write-only
quiet pulumi config set --secret denobridge:sensitiveConfig '{"token":"canary-config"}'
export DENOBRIDGE_RECORD="$SANDBOX/run.jsonl"

step "a create that fails"
run pu_up
unset DENOBRIDGE_RECORD

step "the recording is its owner's, and has no secret"
stat -c 'mode %a' "$SANDBOX/run.jsonl"
nowhere canary- "$SANDBOX/run.jsonl"
nowhere Y2FuYXJ5 "$SANDBOX/run.jsonl"
grep -q '"ApplyResourceChange"' "$SANDBOX/run.jsonl" || fail "the create is not recorded"
grep -q '"Create"' "$SANDBOX/run.jsonl" || fail "the engine's call is not recorded"

# What is left of the environment has no Deno.
replay() { env -i "$PROGRAMS/denobridge" replay "$1"; }
rm -r "$SCRIPTS"

step "it is played without the script"
replay "$SANDBOX/run.jsonl" > all.txt
same "$?" 0 "$(cat all.txt)"
grep -E ' (Check|Create) .*Script' all.txt
grep -q ' 0 different$' all.txt || fail "$(cat all.txt)"

step "what is asked otherwise is told, with its place"
sed '/"kind":"seam"/s/"value":{"\$type":"number","\$value":1.5}/"value":{"$type":"number","$value":2}/g; /"kind":"seam"/s/"value":1.5/"value":2/g' "$SANDBOX/run.jsonl" > other.jsonl
cmp -s "$SANDBOX/run.jsonl" other.jsonl && fail "nothing was changed"
refused replay other.jsonl > other.txt
grep -m1 'was not asked like this' other.txt
grep -m1 'recorded 2, now 1.5' other.txt

step "what is answered otherwise is told too"
sed '/"kind":"door"/s/Half done/Half started/g' "$SANDBOX/run.jsonl" > other.jsonl
refused replay other.jsonl | grep -c 'recorded .*Half started.*now .*Half done'

step "what is no recording is refused"
echo '{"format":99,"kind":"door"}' > newer.jsonl
refused replay newer.jsonl
refused replay Pulumi.yaml
: > empty.jsonl
refused replay empty.jsonl
printf '\377' > binary.jsonl
refused replay binary.jsonl
refused replay missing.jsonl

step "what a killed process has not written to its end is left out"
head -c -20 "$SANDBOX/run.jsonl" > cut.jsonl
quiet replay cut.jsonl

step "logs of the Go bridge are played too"
for log in random_pet phpipam_section_destroy; do replay "$PROJECT/tests/go_logs/$log.json"; done
