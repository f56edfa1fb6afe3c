# A replacement is planned from nothing: no computed value of the old object gets into the new one. Names are unique, so the
# old object must go first, which is an option of the resource under Pulumi.
. "$SUPPORT/report.sh"
provider
under_terraform
tf_up
sed -i 's/small/large/' main.tf
tf_preview
tf_up
tf_destroy
under_pulumi
pu_up
sed -i 's/small/large/' Pulumi.yaml
pu_preview
pu_up
pu_destroy
step "What the provider was asked"
same_requests
requests ApplyResourceChange prior planned
step "Without the option"
under_pulumi ""
rm "$FROM_FILE_REQUESTS"
sed -i '/options/d; s/large/small/' Pulumi.yaml
quiet pulumi up --yes --skip-preview --non-interactive
sed -i 's/small/large/' Pulumi.yaml
run pu_up
requests ApplyResourceChange prior planned
