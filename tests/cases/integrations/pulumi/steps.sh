# The five example integrations around the embedded provider under Pulumi: the file is the one of the case for Terraform.
. "$SUPPORT/integrations.sh"
stack
up() { pu up --yes "$@" 2>&1 | python3 "$SUPPORT/tidy_pulumi.py"; }

step "policy: what breaks a rule is refused in the preview"
pulumi config set value No
refused pu_preview
said

step "cost: what is over the budget is previewed, and not made"
pulumi config set value dear
refused up
said
on_disk record.json

step "what nobody objects to is made; the channel is told, and all of it is in the audit log"
pulumi config set value first
run up
said
told
run audit verify audit.jsonl
on_disk record.json

step "drift: what was changed by hand is told, once"
sed -i 's/first/byhand/' record.json
run pu_refresh
said
cat drift/drift.md

step "destroy"
run pu_destroy
said
told
run audit verify audit.jsonl
