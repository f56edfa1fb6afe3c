# What a script answers as sensitive state is hidden by Terraform and is in no log of ours. `props` are the user's own and
# not sensitive here, so the token is looked for, which only the script knows.
export TF_LOG=trace TF_LOG_PATH="$SANDBOX/terraform.log"

step "plan and apply show nothing of it"
run tf_apply
run tf plan -detailed-exitcode

step "it is there for who asks"
terraform output -raw token
echo

step "and not in any log"
# Terraform's own core writes dynamic values of a stored state into its log at debug; that line is not ours.
grep -v 'UpgradeResourceState: ignoring dynamic block' "$SANDBOX/terraform.log" > "$SANDBOX/others.log"
grep -q 'provider.terraform-provider-denobridge' "$SANDBOX/others.log" || fail "our log is missing"
nowhere "token for canary-7d1f" "$SANDBOX/others.log"

step "destroy"
quiet terraform destroy -auto-approve
