# An ephemeral resource is opened for the time of a run, renewed, and closed; what comes out of it is secret.
export KINDS_JOURNAL="$SANDBOX/journal"
stack
# How often it is renewed is a matter of time.
journal() { sed 's/after [0-9]* renewals/after N renewals/' "$KINDS_JOURNAL" | uniq; rm -f "$KINDS_JOURNAL"; }

step "preview"
run pu_preview
journal

step "update"
run pu_up
journal
run pulumi stack output
exported > state.json
nowhere token-of-me state.json
same "$(pulumi stack output token --show-secrets)" token-of-me

step "what cannot be opened"
sed -i 's/ownerName: me/ownerName: nobody/' Pulumi.yaml
run pu_preview
