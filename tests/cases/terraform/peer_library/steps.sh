# Scripts as they were written for the Go provider's library, which an import map leads to ours.
. "$SUPPORT/peer_library.sh"
brief() { "$@" | grep -E "^(Plan|Apply|Destroy|No changes)|complete after|^ *[-+~]/?[-+]? (resource|props|path|text)" | sed 's/ after.*//' | sort; }

step "create"
brief tf_apply
cat note.txt && echo
terraform output -json | pick 'it["state"]["value"], it["digest"]["value"]'
sort -u closed.txt

step "nothing to do"
brief tf plan

step "update in place"
brief tf_apply -var text=three
cat note.txt && echo

step "replaced, because the script says so"
brief tf_apply -var text=three -var path=other.txt

step "destroy, of which the script warns"
run tf destroy -auto-approve -var text=three -var path=other.txt | grep -A 4 "^Warning\|^Destroy"
texts

step "no secret is in the state"
nowhere canary-of terraform.tfstate.backup
terraform show -json terraform.tfstate.backup | pick '[one["sensitive_values"] for one in it["values"]["root_module"]["resources"] if one["mode"] == "managed"]'
