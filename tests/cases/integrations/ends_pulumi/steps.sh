# However a deployment ends, its integrations end with it, and whoever can still be told is told why.
. "$SUPPORT/processes.sh"
. "$SUPPORT/recorder.sh"
stack
begin() {
  rm -f begun told.jsonl
  set -m
  pulumi up --yes --skip-preview --non-interactive --color never > out.txt 2>&1 &
  pulumi=$!
  set +m
  await begun
}
silent() { sed -i "s/silent = .*/silent = [\"$1\"]/" integrations.toml; }
said() { grep -oE "error: (update canceled|provider .*|\[.*)|[0-9]+ created" out.txt | sort -u; }
ended() {
  wait "$pulumi" 2> /dev/null
  nothing_left "$@"
  said
  told 'shutdown|apply_resource|apply_stage'
}

step "in peace"
begin
ended
quiet pulumi destroy --yes --skip-preview --non-interactive
rm told.jsonl

step "Ctrl-C while the provider works"
quiet pulumi config set ms 60000
begin
kill -INT -- "-$pulumi"
ended

silent pre_apply_resource
step "Ctrl-C while the integration is asked"
begin
kill -INT -- "-$pulumi"
ended

step "the engine is killed while the integration is asked"
begin
disown "$pulumi"
kill -KILL "$pulumi"
nothing_left 5
told 'shutdown'
