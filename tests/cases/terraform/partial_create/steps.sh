# A create that succeeded before something else failed is never lost.
step "created, and then an error"
run tf_apply
on_disk record.json

step "Terraform knows the object, as tainted"
terraform show -json | pick '[(r["values"]["id"], r.get("tainted")) for r in it["values"]["root_module"]["resources"]]'

step "the next apply replaces it"
run tf_apply -var fail=no
on_disk record.json

step "a create that failed leaves nothing, and says all that the script said"
quiet terraform destroy -auto-approve -var fail=no
run tf_apply -var fail=create
same "$(terraform state list)" ""

step "an update that failed keeps the old state"
quiet terraform apply -auto-approve -var fail=no
run tf_apply -var fail=update
terraform show -json | pick 'it["values"]["root_module"]["resources"][0]["values"]["props"]'

step "a delete that failed keeps it too"
printf '{"file":"record.json","value":1,"fail":"delete"}\n' > record.json
run tf destroy -auto-approve -var fail=delete
on_disk record.json
terraform state list
