# Every kind of attribute and block from creation to deletion: both tools must ask the provider for the same.
. "$SUPPORT/report.sh"
provider

under_terraform
tf_up
tf_preview
tf_up -var size=3
cloud
tf_destroy
