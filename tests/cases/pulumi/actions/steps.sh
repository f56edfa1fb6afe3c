# An action is a resource that does something when it is created and when its triggers change.
export KINDS_JOURNAL="$SANDBOX/journal"
stack
journal() { cat "$KINDS_JOURNAL" 2>/dev/null; rm -f "$KINDS_JOURNAL"; }

step "a preview only asks whether it could run"
run pu_preview
journal

step "it runs when the resource is created"
run pu_up
journal
exported | pick '[(one["id"], one["inputs"], one["outputs"]) for one in it["resources"] if "Greet" in one["type"]]'

step "nothing changes, nothing runs"
run pu_preview --expect-no-changes
run pu_refresh
journal

step "another input is recorded for the next time"
sed -i 's/Ada/Bob/' Pulumi.yaml
run pu_preview
run pu_up
journal

step "other triggers run it again"
sed -i 's/\[1\]/[2]/' Pulumi.yaml
run pu_preview
journal
run pu_up
journal

step "a failure is not recorded: the next run does it again"
sed -i 's/\[2\]/[3]/; s/triggers/fails: true\n      triggers/' Pulumi.yaml
run pu_up
journal
sed -i '/fails/d' Pulumi.yaml
run pu_up
journal

step "what cannot run fails in the preview"
sed -i 's/Bob/stranger/; s/\[3\]/[4]/' Pulumi.yaml
run pu_preview
sed -i 's/stranger/a stranger/' Pulumi.yaml
run pu_preview
journal

step "what was done stays done"
quiet pulumi destroy --yes --skip-preview --non-interactive
journal
