# The program as people install it, found by `terraform init` without a network.
unset TF_CLI_CONFIG_FILE
export HOME=$SANDBOX/home
mkdir "$HOME"
version=$(denobridge --version | sed 's/.* //')
platform=$(terraform version -json | pick 'it["platform"]' | tr -d '"')
program=$(readlink -f "$PROGRAMS/denobridge")
same_everywhere() { sed "s|$program|[PROGRAM]|g; s|$version|[VERSION]|g; s|$platform|[PLATFORM]|g"; }
init() { run terraform init -no-color "$@" | grep -E "^- |success|Error|could not" | same_everywhere; }
plugin() { denobridge doctor | grep -A 1 "^... *Terraform" | tail -1 | same_everywhere; }

step "not installed"
plugin
init

step "installed"
run denobridge install terraform | same_everywhere
plugin
init
brief() { run tf_apply | grep -E "^(Plan|Apply)"; }
brief

step "once more"
run denobridge install terraform | sed -n 2p | same_everywhere

step "a copy in its place has another hash in the lock file only if the program is another"
run denobridge install terraform --copy | sed -n 2p | same_everywhere
init
brief

step "under a version of the Go provider, for configurations that ask for one"
run denobridge install terraform --as-version v0.4.1 | sed -n 2p | same_everywhere
sed -i 's|"brad-jones/denobridge"|"brad-jones/denobridge", version = "0.4.1"|' main.tf
init -upgrade
brief

step "a version that is none"
run denobridge install terraform --as-version latest
