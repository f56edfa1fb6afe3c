# The lock file of a project whose provider is wrapped: what Terraform has against it, and what to do.
. "$SUPPORT/registry.sh"
registry acme/time 0.13.1 "$PROGRAMS/terraform-provider-time"
cat > main.tf << END
terraform {
  required_providers {
    time = { source = "$host/acme/time" }
  }
}

resource "time_static" "start" {
  rfc3339 = "2027-01-02T03:04:05Z"
}
END
same_form() { sed "s|$host|HOST|g" | sed -E 's/"zh:[0-9a-f]{64}"/ZIP/; s/"h1:[^"]*"/FILES/; s/ for [a-z]+_[a-z0-9]+/ for PLATFORM/'; }
init() {
  rm -rf .terraform
  printf '$ terraform init %s\n' "$*"
  terraform init -no-color "$@" > init.txt 2>&1
  echo "(exit code $?)"
  sed -n '/^Error/,$p' init.txt | same_form
}
hashes() { grep -E 'h1:|zh:' .terraform.lock.hcl | sort | same_form; }

step "the lock file of a project without the wrapper"
init
hashes
cp .terraform.lock.hcl "$SANDBOX/release.hcl"

step "wrapped, Terraform does not take this program for the release"
denobridge wrap "$host/acme/time" --dir mirror | tee "$SANDBOX/said" | sed -n '/^Next/,$p' | same_form
sed -n '/^provider_installation/,/^}/p' "$SANDBOX/said" > "$SANDBOX/wrapped.tfrc"
TF_CLI_CONFIG_FILE=$SANDBOX/wrapped.tfrc
init
init -lockfile=readonly
init -upgrade

step "until the lock file has its checksum, beside those of the release"
run terraform providers lock -no-color -fs-mirror=mirror "$host/acme/time" | sed '/^Success/,$d' | same_form
hashes
init -lockfile=readonly
quiet terraform apply -auto-approve
TF_CLI_CONFIG_FILE=$SANDBOX/cli.tfrc
init -lockfile=readonly
quiet terraform plan -detailed-exitcode

step "another version of this program, or another place of the provider, has another checksum"
TF_CLI_CONFIG_FILE=$SANDBOX/wrapped.tfrc
init -lockfile=readonly
echo >> "$(find mirror -name time.denobridge.json)"
refused terraform plan -no-color | sed -n '/^│ /d; /rror: /,/^$/p' | same_form | sed 's/^[│╷╵ ]*//'
init -lockfile=readonly
quiet terraform providers lock -fs-mirror=mirror "$host/acme/time"
init -lockfile=readonly
hashes

step "without a lock file, Terraform writes one that has nothing of the release"
rm .terraform.lock.hcl
init
hashes
TF_CLI_CONFIG_FILE=$SANDBOX/cli.tfrc
init
quiet terraform providers lock "$host/acme/time"
init -lockfile=readonly
hashes
exec 3>&-
