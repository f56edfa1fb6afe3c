# The five example integrations around the embedded provider under Terraform.
. "$SUPPORT/integrations.sh"

step "policy: what breaks a rule is refused in the plan"
refused tf plan -var value=No
said

step "cost: what is over the budget is planned, and not applied"
refused tf_apply -var value=dear
said
on_disk record.json

step "what nobody objects to is applied; the channel is told, and all of it is in the audit log"
run tf_apply
said
told
run audit verify audit.jsonl
on_disk record.json

step "drift: what was changed by hand is told, once"
sed -i 's/first/byhand/' record.json
run tf plan
said
cat drift/drift.md

step "validate and schema start nobody"
run tf validate
quiet terraform providers schema -json
said

step "destroy"
run tf apply -destroy -auto-approve
said
told
run audit verify audit.jsonl

step "a log that was changed shows it"
sed -i '2s/create/update/; 3s/create/update/; 4s/create/update/' audit.jsonl
refused audit verify audit.jsonl

step "without the integrations everything goes on as before"
export DENOBRIDGE_INTEGRATIONS=
run tf_apply -var value=No
said

step "a configuration that is wrong plans nothing"
printf '[[integration]]\nname = "x"\ncommand = []\nhook = "pre-plan"\n' > wrong.toml
DENOBRIDGE_INTEGRATIONS=$PWD/wrong.toml refused tf plan
