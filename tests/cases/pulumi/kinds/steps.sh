# Every kind of script in one program.
export LEASE_TRACE=$PWD/trace
stack
pulumi config set --path denobridge:config.shelf books
traced() { [ ! -e trace ] || cat trace; rm -f trace; }
# What a run shows of its resources, and which progress of the action it has told.
up() {
  pu up --yes --skip-preview > said 2>&1 || fail "$(cat said)"
  sed -E 's/;? page . of .$//' said | python3 "$SUPPORT/tidy_pulumi.py"
  grep -q 'page 2 of 2' said && echo "(told: page 2 of 2)"
  return 0
}
short() { up | sed '/^Outputs:/,/^Resources:/d'; }
printed() { [ ! -e printed ] || cat printed; rm -f printed; }

step "a preview looks up and opens, and does nothing"
run pu_preview
traced
printed

step "the first run"
up
traced
printed
on_disk user.json

step "the action does not run again"
short
traced
printed

step "until its triggers change"
pulumi config set round 2
short
traced > /dev/null
printed

step "a failure to close is told"
pulumi config set close fails
pu up --yes --skip-preview 2>&1 | grep 'lease server'
traced

step "no secret is in the state"
exported > state.json
nowhere canary- state.json "$SANDBOX/backend"

step "destroy"
quiet pulumi destroy --yes --skip-preview --non-interactive
printed
