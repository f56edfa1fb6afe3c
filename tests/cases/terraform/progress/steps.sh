# What a resource tells on its way is in the log at level info: Terraform shows progress of actions only.
export TF_LOG_PROVIDER=info TF_LOG_PATH="$SANDBOX/terraform.log"
quiet terraform apply -auto-approve
grep -o 'INFO.*page . of .' "$SANDBOX/terraform.log" | sed 's/ provider.terraform-provider-denobridge[^:]*//'
cat printed
