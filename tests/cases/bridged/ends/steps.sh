# How a provider's process ends: by itself, with Pulumi, by Ctrl-C, and when somebody is killed.
. "$SUPPORT/processes.sh"
stack
for provider in everything time; do
  ln -s "$PROGRAMS/terraform-provider-$provider" .
  quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out "sdks/$provider" --non-interactive -- "./terraform-provider-$provider"
done
nothing_left

step "it panics: its words are told"
pulumi config set fail panic
pu_up | sed -n '/error:/,/panic:/p'
nothing_left

step "it exits"
pulumi config set fail exit
pu_up | sed -n '/error:/,$p'
nothing_left

cp sleep.yaml Pulumi.yaml
begin() {
  pulumi up --yes --skip-preview --non-interactive --color never > said.txt 2>&1 &
  engine=$!
  for _ in $(seq 600); do grep -q 'sleep creating' said.txt && break; sleep 0.1; done
  # It was asked, and sleeps.
  sleep 0.5
}

step "Ctrl-C: it is asked to stop"
begin
kill -INT "$engine"
wait "$engine"
echo "exit code $?"
sed -n '/^  time:index:Sleep/,/^$/p' said.txt
nothing_left

step "the plugin is killed"
begin
pkill -KILL -P "$engine" -f pulumi-resource-denobridge
wait "$engine"
echo "exit code $?"
nothing_left

step "Pulumi is killed"
begin
disown "$engine"
kill -KILL "$engine"
nothing_left
echo "nothing is left"
