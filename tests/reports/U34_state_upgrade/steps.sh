# Version 0 of a schema is upgraded to version 1 by a provider that takes only the very state that it wrote.
. "$SUPPORT/report.sh"
provider provider-0.json
under_terraform
tf_up
provider provider-1.json
sed -i 's/title/name /' main.tf
tf_preview
requests UpgradeResourceState version stored
tf_destroy
under_pulumi
provider provider-0.json
sdk
pu_up
provider provider-1.json
sdk
sed -i 's/title:/name:/' Pulumi.yaml
pu_preview
requests UpgradeResourceState version stored | uniq
pu_refresh
pu_up
exported | pick '[one["outputs"] for one in it["resources"] if one["type"].endswith("Thing")][0]'
pu_destroy
step "Deleted without an update in between"
provider provider-0.json
sdk
sed -i 's/name: mine/title: mine/' Pulumi.yaml
quiet pulumi up --yes --skip-preview --non-interactive
provider provider-1.json
rm "$FROM_FILE_REQUESTS"
pu_destroy
requests UpgradeResourceState version stored | uniq
requests ApplyResourceChange prior
