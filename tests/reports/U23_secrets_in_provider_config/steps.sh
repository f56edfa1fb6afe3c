# A secret inside of an object of the provider's configuration: as a literal, as a secret of the stack's configuration and as
# an output of another resource. The provider gets it, and nothing that is stored or printed has it.
. "$SUPPORT/report.sh"
provider
under_terraform
tf_up
under_pulumi
quiet pulumi config set --secret --path 'x:login' '{"user":"u","password":"canary-1"}'
quiet pulumi config set --secret other canary-3
pu_up
pu_preview
requests ConfigureProvider config | sort | uniq
step "What is stored"
nowhere canary "$SANDBOX/backend" Pulumi.dev.yaml
exported | pick '[{"urn": one["urn"].split("::")[-1], "inputs": one["inputs"]} for one in sorted(it["resources"], key=lambda one: one["urn"]) if "providers:x" in one["type"]]' | grep -v '"ciphertext"'
pu_destroy
