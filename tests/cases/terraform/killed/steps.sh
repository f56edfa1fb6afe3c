# Killed hard, Terraform or the provider: nothing that the script is or has started is left one second later.
. "$SUPPORT/processes.sh"
export TMPDIR="$SANDBOX/tmp"
mkdir "$TMPDIR"
begin() {
  rm -f begun
  terraform apply -auto-approve -no-color -var ms=60000 > out.txt 2>&1 &
  terraform=$!
  await begun
  # What the script has started is a copy of Deno until it is what it is to be.
  until mine | grep -q '^sleep 600'; do sleep 0.1; done
  mine | grep -o -e 'terraform-provider-denobridge' -e 'deno run' -e '^sleep 600' | sort -u
}

step "the provider, in a call"
begin
pkill -KILL -P "$terraform" -f terraform-provider-denobridge
wait "$terraform"
nothing_left
sed -n '/^Error/,$p' out.txt | plugin_gone

step "Terraform, in a call"
rm -rf "$TMPDIR"/*
begin
# Not reported by the shell as a job that was killed.
disown "$terraform"
kill -KILL "$terraform"
nothing_left
same "$(ls "$TMPDIR")" "" "no socket is left"

step "and in peace nothing is left either"
rm -f .terraform.tfstate.lock.info
quiet terraform apply -auto-approve -var ms=0
quiet terraform destroy -auto-approve -var ms=0
nothing_left
same "$(ls "$TMPDIR")" ""
