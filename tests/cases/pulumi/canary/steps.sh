# A script that says every secret it is told on every way that it has: each level of the log, stray lines on standard output,
# warnings, errors and their data. None of it is shown or logged, and all of it is stored encrypted.
stack
# What passes both doors, recorded, for the search too.
export DENOBRIDGE_RECORD="$SANDBOX/recorded.jsonl"
# What was shown, for the search.
shown() {
  "$@" > "$SANDBOX/last.txt" 2>&1
  # All of it, however little of it the next command reads.
  cat "$SANDBOX/last.txt" >> "$SANDBOX/shown.txt"
  cat "$SANDBOX/last.txt"
}
# The first line of a kind, without the data in it: the search below is for that.
first() { grep -m1 "$1" | sed 's/ {.*//'; }
quiet pulumi config set --secret password canary-write-only
quiet pulumi config set --secret denobridge:sensitiveConfig '{"token":"canary-config"}'

step "create: secrets are taken out of warnings"
shown pu_up | first "said: create"

step "the other kinds of scripts, in the same run"
for said in "look up" open close invoke; do first "said: $said" < "$SANDBOX/shown.txt"; done

step "preview and refresh"
shown pu_preview > preview.txt
shown pu_refresh > refresh.txt

for fails in modifyPlan update "update diagnostic"; do
  step "an error of the script's: $fails"
  quiet pulumi config set fails "$fails"
  shown pu_up | first "error:"
done

step "with every line of the log"
quiet pulumi config set fails debugging
pulumi up --yes --skip-preview --non-interactive --color never --debug > "$SANDBOX/shown.log" 2>&1
grep -q "\[script\] update" "$SANDBOX/shown.log" || fail "our log is missing"
cat "$SANDBOX/shown.log" >> "$SANDBOX/shown.txt"
quiet pulumi config set fails tracing
pulumi up --yes --skip-preview --non-interactive --color never --debug --logtostderr --logflow -v=9 > "$SANDBOX/all.log" 2>&1
# At this level the engine itself writes what it sends and gets.
grep -v 'eventsink\|Marshaling property\|Unmarshaling property\|Decrypted\|NewSecret' "$SANDBOX/all.log" | grep -i 'denobridge\|plugin\|script\|said:' > "$SANDBOX/ours.log"

step "what is stored is encrypted"
exported > exported.json
exported --show-secrets > open.json
for canary in canary-in-props canary-in-action canary-write-only canary-config canary-of-the-script canary-of-the-result \
  canary-private; do
  # Functions leave nothing in the state; the token of the one is among the triggers of the action.
  [[ "$canary" =~ config|private ]] || grep -q "$canary" open.json || fail "$canary is not stored at all"
  nowhere "$canary" exported.json "$SANDBOX/backend/.pulumi/stacks" "$DENOBRIDGE_RECORD"
  nowhere "$canary" "$SANDBOX/ours.log" "$SANDBOX/shown.txt"
done

step "destroy"
quiet pulumi destroy --yes --skip-preview --non-interactive
