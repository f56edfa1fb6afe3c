# The configuration of a provider that is known only after an update: a preview does not reach the provider with a stand-in
# for it, nor with an empty one.
. "$SUPPORT/report.sh"
provider
under_terraform
tf_preview
requests ConfigureProvider config
tf_up
tf_destroy
under_pulumi
pu_preview
requests ConfigureProvider config
pu_up
requests ConfigureProvider config
pu_preview
pu_destroy
