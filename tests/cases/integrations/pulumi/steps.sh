# The five example integrations around the embedded provider under Pulumi: the file is the one of the case for Terraform.
. "$SUPPORT/integrations.sh"
stack
up() { pu up --yes "$@" 2>&1 | python3 "$SUPPORT/tidy_pulumi.py"; }
# What the user must not miss. Beside which resource the engine shows what is only worth knowing, and when, differs from run to run.
brief() { grep -oE "(error|warning): (Preview failed|provider|\[).*|^ [-+~].*(created|deleted|updated)|[0-9]+ (created|deleted|updated|errored)" | sort -u; }

step "policy: what breaks a rule is refused in the preview"
pulumi config set value No
refused pu_preview | brief
said

step "cost: what is over the budget is previewed, and not made"
pulumi config set value dear
refused up | brief
said
on_disk record.json

step "what nobody objects to is made; the channel is told, and all of it is in the audit log"
pulumi config set value first
up | brief
said
told
run audit verify audit.jsonl
on_disk record.json

step "drift: what was changed by hand is told, once"
sed -i 's/first/byhand/' record.json
pu_refresh | brief
said
cat drift/drift.md

step "destroy"
pu_destroy | brief
said
told
run audit verify audit.jsonl
