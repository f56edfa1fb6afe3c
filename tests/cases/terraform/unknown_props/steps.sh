# Values that only another resource's apply will tell.
step "plan shows them as known after apply"
run tf plan -detailed-exitcode

step "apply puts them in"
quiet terraform apply -auto-approve
on_disk first.json second.json

step "no change"
run tf plan -detailed-exitcode

step "a change of the first one reaches the second"
run tf_apply -var value=longer-than-before
on_disk first.json second.json

step "destroy"
quiet terraform destroy -auto-approve
on_disk first.json second.json
