# Secret props, sensitive state and write-only props: nowhere in clear, in no log, and write-only ones in no output.
stack
log() { pulumi "$@" --non-interactive --color never --logtostderr --logflow -v=9; }

step "create"
pulumi config set --secret password canary-write-only
run pu_up
on_disk record.json
exported > exported.json
nowhere canary exported.json "$SANDBOX/backend/.pulumi/stacks"

step "the sensitive state is there for who asks"
pulumi stack output token --show-secrets

step "what is stored of the write-only props: encrypted inputs, no outputs"
exported --show-secrets > shown.json
pick '[{"input": "writeOnlyProps" in r["inputs"], "output": "writeOnlyProps" in r["outputs"]} for r in it["resources"] if r["type"] == "denobridge:index:Script"]' < shown.json
pick '[sorted(r["inputs"]["writeOnlyProps"]) for r in it["resources"] if r["type"] == "denobridge:index:Script"]' < exported.json

step "no change"
run pu_preview --expect-no-changes

step "another password is an update"
pulumi config set --secret password canary-number-two
run pu_up
on_disk record.json
exported > exported.json
nowhere canary exported.json

step "refresh keeps all of it"
quiet pulumi refresh --yes --skip-preview --non-interactive
run pu_preview --expect-no-changes
exported > exported.json
nowhere canary exported.json

step "and no log line of ours shows any of it"
log preview > "$SANDBOX/preview.log" 2>&1
grep -v 'eventsink\|Marshaling property\|Unmarshaling property\|Decrypted\|NewSecret' "$SANDBOX/preview.log" | grep -i 'denobridge\|plugin' > "$SANDBOX/ours.log"
nowhere "token for canary" "$SANDBOX/ours.log"

step "destroy"
quiet pulumi destroy --yes --skip-preview --non-interactive
