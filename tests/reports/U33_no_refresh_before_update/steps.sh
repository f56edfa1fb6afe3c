# Terraform looks at an object before it plans, Pulumi does so when asked. An object that has drifted, and one that has a new
# value at every look.
. "$SUPPORT/report.sh"
provider
under_terraform
tf_up
touch "$FROM_FILE_CLOUD/drift"
tf_preview
under_pulumi
pu_up
touch "$FROM_FILE_CLOUD/drift"
pu_preview
step "With a refresh before"
pu up --refresh --yes --skip-preview 2>&1 | python3 "$SUPPORT/tidy_pulumi.py"
requests ReadResource state
requests ApplyResourceChange prior planned
