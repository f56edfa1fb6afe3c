# A provider that somebody else wrote, with this program before it: Terraform sees the provider and nothing else.
provider=$PROGRAMS/terraform-provider-time
export TF_CLI_CONFIG_FILE=$SANDBOX/cli.tfrc
wrap() { denobridge wrap "$provider" --as hashicorp/time --version 0.13.1 --dir "$SANDBOX/mirror" "$@"; }
platform() { sed -E 's|/[a-z]+_[a-z0-9]+/terraform-provider|/PLATFORM/terraform-provider|; s|/[a-z]+_[a-z0-9]+"$|/PLATFORM"|'; }

step "the program gets the provider's name and place in a mirror"
run wrap | platform
(cd "$SANDBOX/mirror" && find . -name '*time*.json' -exec cat {} +)

step "from the mirror"
wrap | sed -n '/^provider_installation/,/^}/p' > "$TF_CLI_CONFIG_FILE"
quiet terraform init
run tf_apply
run tf plan -detailed-exitcode
run tf_apply -var days=8

step "what is in the state is the provider's own"
printf 'provider_installation {\n  dev_overrides {\n    "hashicorp/time" = "%s"\n  }\n}\n' "$PROGRAMS" > "$SANDBOX/direct.tfrc"
TF_CLI_CONFIG_FILE=$SANDBOX/direct.tfrc terraform plan -detailed-exitcode -var days=8 -no-color > direct.txt 2>&1
same "$?" 0 "$(cat direct.txt)"

step "an integration is asked around every resource"
export DENOBRIDGE_INTEGRATIONS=$PWD/integrations.toml
run tf_apply -var days=9
# Resources are looked at side by side.
sort asked.txt
rm asked.txt

step "what it denies is not planned"
run tf plan -var days=40
grep -c . asked.txt
rm asked.txt

step "it is asked about deletions, too"
run tf destroy -auto-approve -var days=9
grep -E 'delete|stage' asked.txt | sort
quiet terraform apply -auto-approve -var days=8
unset DENOBRIDGE_INTEGRATIONS

step "in development"
wrap --dev | sed -n '/^provider_installation/,/^}/p' > "$TF_CLI_CONFIG_FILE"
rm -r .terraform .terraform.lock.hcl
run tf plan -detailed-exitcode -var days=8
run tf destroy -auto-approve -var days=8

step "a provider that does not start"
rm -r "$SANDBOX/mirror"
mkdir broken
printf '#!/bin/sh\necho "no licence" >&2\nexit 3\n' > broken/terraform-provider-time
chmod +x broken/terraform-provider-time
provider=broken/terraform-provider-time
wrap --dev | sed -n '/^provider_installation/,/^}/p' > "$TF_CLI_CONFIG_FILE"
TF_LOG=DEBUG terraform plan -no-color 2>&1 | grep -oE 'no licence|denobridge: .*' | sort -u || true
