# Every kind of script on another machine, which is called over TLS and lets in who has its token.
. "$SUPPORT/remote_host.sh"
remote_host canary-token-one
stack
quiet pulumi config set host "$host"
quiet pulumi config set --path denobridge:remote.url "$host/scripts/"
quiet pulumi config set --path --secret denobridge:remote.token canary-token-one

step "create"
run pu_up
cat a.txt && echo

step "nothing to do"
run pu_preview --expect-no-changes

step "update in place, and the action runs again"
pulumi config set content two
run pu_up
cat a.txt && echo

step "another token is not let in"
quiet pulumi config set --path --secret denobridge:remote.token canary-token-two
pu_preview 2>&1 | grep -m 1 -A 2 "refuses our token" | sed 's/^.*: Script .*served/Script [SERVED]/'
quiet pulumi config set --path denobridge:remote.url "$host/scripts/"
quiet pulumi config set --path --secret denobridge:remote.token canary-token-one

step "the token is in no state"
exported > state.json
nowhere canary- state.json Pulumi.dev.yaml "$SANDBOX/backend"

step "destroy"
run pu_destroy
texts
