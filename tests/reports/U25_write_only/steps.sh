# A write-only attribute reaches the provider and is in no state; under Pulumi it is among the inputs, encrypted.
. "$SUPPORT/report.sh"
provider
both_tools
step "What is stored"
under_pulumi
pu_up
nowhere hunter2 "$SANDBOX/backend"
exported | pick '[{"inputs": sorted(one["inputs"]), "password": sorted(one["inputs"]["password"]), "outputs": sorted(one["outputs"])} for one in it["resources"] if one["type"].endswith("Thing")]'
