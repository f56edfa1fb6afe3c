# Every kind of attribute and block from creation to deletion: both tools must ask the provider for the same.
. "$SUPPORT/report.sh"
provider

under_terraform
tf_up
tf_preview
sed -i 's/size     = 2/size     = 3/' main.tf
tf_up
cloud
tf_destroy

under_pulumi
pu_up
pu_preview
sed -i 's/size: 2/size: 3/' Pulumi.yaml
pu_preview
pu_up
cloud
pu_destroy

step "What the provider was asked"
same_requests
