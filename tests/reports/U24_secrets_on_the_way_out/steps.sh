# One canary through every kind of call. What comes back of it is secret, and it is nowhere in what is stored or printed.
. "$SUPPORT/report.sh"
provider
under_pulumi
quiet pulumi config set --secret canary c4nary
pu_up
pu_preview
requests ApplyResourceChange config
requests ReadDataSource config
requests CallFunction arguments
pu_refresh
step "What is stored"
nowhere c4nary "$SANDBOX/backend" Pulumi.dev.yaml
run pulumi stack output --show-secrets --json
pu_destroy
nowhere c4nary "$SANDBOX/backend"
