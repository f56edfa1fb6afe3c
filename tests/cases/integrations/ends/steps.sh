# However a run ends, its integrations end with it, and whoever can still be told is told why. An interrupt comes as from a
# terminal: to every process of the run at once.
. "$SUPPORT/processes.sh"
. "$SUPPORT/recorder.sh"
begin() {
  rm -f begun told.jsonl .terraform.tfstate.lock.info
  # Each job is a group of its own, as in a terminal.
  set -m
  terraform apply -auto-approve -no-color "$@" > out.txt 2>&1 &
  terraform=$!
  set +m
  await begun
}
# The provider's processes.
providers() { for id in $(pgrep -g "$terraform" -f terraform-provider); do echo "$id"; done; }
said() { grep -E "^(Error|Apply complete|Interrupt received)" out.txt | plugin_gone | sort -u; }
silent() { sed -i "s/silent = .*/silent = [\"$1\"]/" integrations.toml; }
ended() {
  wait "$terraform" 2> /dev/null
  nothing_left "$@"
  said
  told 'shutdown|apply_resource|apply_stage'
}

step "in peace"
begin -var ms=0
ended
quiet terraform destroy -auto-approve
rm told.jsonl

step "Ctrl-C while the provider works"
begin -var ms=60000
kill -INT -- "-$terraform"
ended

silent pre_apply_resource
step "Ctrl-C while the integration is asked"
begin
kill -INT -- "-$terraform"
ended
same "$(terraform state list)" "" "nothing was begun that it has not agreed to"

step "the provider is asked to end while the integration is asked"
begin
kill -TERM $(providers)
ended 2

step "the provider falls, as by a panic that nobody catches"
begin
kill -ABRT $(providers)
ended

step "the provider is killed"
begin
kill -KILL $(providers)
ended

step "Terraform is killed while the integration is asked"
begin
disown "$terraform"
kill -KILL "$terraform"
nothing_left 5
told 'shutdown'

step "Terraform is killed with its provider, all at once"
begin
disown "$terraform"
kill -KILL -- "-$terraform"
nothing_left
told 'shutdown'

step "the same around a wrapped provider"
. "$SUPPORT/wrapped.sh"
wrapped terraform-provider-time hashicorp/time 0.13.1 --dev
cp wrapped/main.tf main.tf
begin
kill -INT -- "-$terraform"
ended
begin
disown "$terraform"
kill -KILL "$terraform"
nothing_left 5
told 'shutdown'
