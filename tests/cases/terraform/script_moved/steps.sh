# The script of an object that exists is changed, moved and lost.
cp ../scripts/record.ts ../scripts/rpc.ts .
quiet terraform apply -auto-approve

step "changed between plan and apply"
quiet terraform plan -out=plan.bin -replace=denobridge_resource.record
sed -i 's/file: props.file,/file: "changed",/' record.ts
quiet terraform apply plan.bin
terraform show -json | pick 'it["values"]["root_module"]["resources"][0]["values"]["state"]["file"]'

step "moved: what to do is said, and works"
mv record.ts moved.ts
run tf plan -var script=moved.ts
quiet terraform apply -auto-approve -refresh=false -var script=moved.ts
run tf plan -detailed-exitcode -var script=moved.ts

step "lost: the object stays in the state"
mv moved.ts lost.ts
run tf destroy -auto-approve -var script=moved.ts
terraform state list

step "found again, by its address"
mv lost.ts moved.ts
quiet terraform apply -auto-approve -var "script=file://$PWD/moved.ts"
quiet terraform destroy -auto-approve -var "script=file://$PWD/moved.ts"
on_disk record.json
