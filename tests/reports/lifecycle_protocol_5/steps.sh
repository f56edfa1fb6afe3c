# As `lifecycle`, with a provider of protocol 5.
. "$SUPPORT/report.sh"
provider

under_terraform
tf_up
tf_preview
sed -i 's/size     = 2/size     = 3/' main.tf
tf_up
tf_destroy

under_pulumi
pu_up
pu_preview
sed -i 's/size: 2/size: 3/' Pulumi.yaml
pu_up
pu_destroy

step "What the provider was asked"
same_requests
