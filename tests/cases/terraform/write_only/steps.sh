# Write-only props reach the script and are nowhere else.
export TF_LOG=trace TF_LOG_PATH="$SANDBOX/terraform.log"

step "create"
run tf_apply
on_disk record.json
nowhere canary- terraform.tfstate "$SANDBOX/terraform.log"

step "the same again is no change"
run tf plan -detailed-exitcode

step "another password is a change, seen without storing either"
run tf_apply -var password=canary-number-two
on_disk record.json
nowhere canary- terraform.tfstate terraform.tfstate.backup "$SANDBOX/terraform.log"

step "and the same again is no change"
run tf plan -detailed-exitcode -var password=canary-number-two

step "destroy"
quiet terraform destroy -auto-approve
on_disk record.json
