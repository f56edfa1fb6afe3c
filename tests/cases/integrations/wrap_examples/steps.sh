# The five example integrations around a provider that somebody else wrote: the same as around our own, through the wrapper.
. "$SUPPORT/integrations.sh"
. "$SUPPORT/wrapped.sh"
wrapped terraform-provider-time hashicorp/time 0.13.1
DENOBRIDGE_INTEGRATIONS='' quiet terraform init
# Resources are planned and changed side by side.
brief() { grep -E '^(Error|Warning|Plan|Apply complete|Destroy complete)' | sort; }
said_sorted() { said | sort; }

step "policy: what breaks a rule is refused in the plan"
refused tf plan -var days=40 | grep -A5 '^Error'
said_sorted

step "cost: what is over the budget is planned, and not applied"
refused tf_apply -var days=30 | brief
said_sorted
terraform state list

step "what nobody objects to is applied; the channel is told, and all of it is in the audit log"
run tf_apply | brief
said_sorted
told
run audit verify audit.jsonl
terraform state list

step "drift: what the provider does not find any more is told, once"
run tf plan | brief
said_sorted
cat drift/drift.md

step "a change"
run tf_apply -var days=8 | brief
said_sorted
told

step "destroy"
run tf apply -destroy -auto-approve | brief
said_sorted
told
run audit verify audit.jsonl
python3 -c '
import json, sys
for line in open("audit.jsonl"):
    entry = json.loads(line)
    facts = (entry.get(key) for key in ("operation", "summary", "action", "type", "object", "id"))
    print(*(fact for fact in facts if fact), "after the fact" if "failed" in entry else "")' | sort | uniq -c
