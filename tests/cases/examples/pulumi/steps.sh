# examples/dns as its README says: every kind of script.
. "$SUPPORT/dns_host.sh"
stack
quiet pulumi config set host "$host"
quiet pulumi config set denobridge:config "{\"api\": \"http://$host\"}"
quiet pulumi config set --secret denobridge:sensitiveConfig '{"token": "open sesame"}'
# When an action tells of its progress is a matter of time.
up() {
  pu_up > said || fail "$(cat said)"
  sed -E 's/;? ns[12]: flushed \(. of 2\)//' said
}

step "create"
up

step "nothing to do"
run pu_preview --expect-no-changes

step "another address is an update, and the action runs again"
pulumi config set address 192.0.2.2
up

step "what is no address is refused while planning"
pulumi config set address here
sed -i '/callScript/,/reverse/s/"${address}"/"192.0.2.2"/' Pulumi.yaml
refusal www
pulumi config set address 192.0.2.2

step "the token is nowhere"
exported > state.json
nowhere "open sesame" state.json Pulumi.dev.yaml "$SANDBOX/backend"

step "destroy"
run pu_destroy
