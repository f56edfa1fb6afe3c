# One record from nothing to nothing, with every kind of change between.
step "create"
run tf_apply
on_disk record.json

step "no change"
run tf plan -detailed-exitcode

step "update in place"
run tf_apply -var value=second
on_disk record.json

step "replace"
run tf_apply -var value=second -var file=moved.json
on_disk record.json moved.json

step "drift made behind Terraform's back is found and mended"
printf '{"file":"moved.json","value":"changed by hand","ports":[80,443],"ratio":0.1,"large":9007199254740993}\n' > moved.json
run tf plan -detailed-exitcode -var value=second -var file=moved.json
quiet terraform apply -auto-approve -var value=second -var file=moved.json
on_disk moved.json

step "gone behind Terraform's back: planned again"
rm moved.json
run tf plan -detailed-exitcode -var value=second -var file=moved.json
quiet terraform apply -auto-approve -var value=second -var file=moved.json
on_disk moved.json

step "destroy"
run tf destroy -auto-approve -var value=second -var file=moved.json
on_disk moved.json
