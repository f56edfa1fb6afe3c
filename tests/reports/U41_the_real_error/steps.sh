# A provider that panics, exits, answers with a status of gRPC, with nothing, with three diagnostics, and not at all. The
# message says who failed, which resource and what was said.
. "$SUPPORT/report.sh"
provider
faults() {
  printf -- '-- panics\n'; with_fault ApplyResourceChange '{"panic": "assignment to entry in nil map"}'; "$1"
  printf -- '-- exits\n'; with_fault ApplyResourceChange '{"exit": 3}'; "$1"
  printf -- '-- status Internal\n'; with_fault ApplyResourceChange '{"status": {"code": 13, "message": "the database is on fire"}}'; "$1"
  printf -- '-- status Unknown\n'; with_fault PlanResourceChange '{"status": {"code": 2, "message": "no idea"}}'; "$1"
  printf -- '-- empty answer\n'; with_fault ApplyResourceChange '"empty"'; "$1"
  printf -- '-- three diagnostics\n'; export FROM_FILE_PROVIDER=$PWD/diagnostics.json; "$1"
}
up_under_pulumi() { pu_up; quiet pulumi destroy --yes --skip-preview --non-interactive; }
up_under_terraform() { tf_up | grep -vE '^(stack|goroutine|main\.|\sprovider/)' | plugin_gone; }
under_terraform
faults up_under_terraform
under_pulumi
faults up_under_pulumi
printf -- '-- hangs\n'
with_fault ApplyResourceChange '"hang"'
sed -i 's/options:.*/options: { customTimeouts: { create: 2s } }/' Pulumi.yaml
run pu_up
