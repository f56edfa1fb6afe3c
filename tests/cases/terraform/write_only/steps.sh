# Write-only props reach the script and are nowhere else.
record_traffic
# (The password comes by the environment: Terraform logs its own command line.)

step "create"
run tf_apply
on_disk record.json
nowhere canary- terraform.tfstate "$SANDBOX/json-rpc.log"

step "the same again is no change"
run tf plan -detailed-exitcode

step "another password is a change, seen without storing either"
export TF_VAR_password=canary-number-two
run tf_apply
on_disk record.json
nowhere canary- terraform.tfstate terraform.tfstate.backup "$SANDBOX/json-rpc.log"

step "and the same again is no change"
run tf plan -detailed-exitcode

step "destroy"
quiet terraform destroy -auto-approve
on_disk record.json
