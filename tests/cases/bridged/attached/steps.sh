# The bridge itself under a debugger: a plugin that was started by hand serves foreign providers, two packages at once, over
# several deployments.
. "$SUPPORT/processes.sh"
stack
ln -s "$PROGRAMS/terraform-provider-time" .
add() { quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out "sdks/$1" --non-interactive -- ./terraform-provider-time "${@:2}"; }
add time
add clock --provider-name clock
pulumi-resource-denobridge >"$SANDBOX/port" 2>"$SANDBOX/plugin.log" </dev/null &
plugin=$!
trap 'kill -INT $plugin' EXIT
until [ -s "$SANDBOX/port" ]; do sleep 0.05; done
export PULUMI_DEBUG_PROVIDERS="denobridge:$(cat "$SANDBOX/port")"

step "create"
run pu_up

step "no change, and refresh"
run pu_preview --expect-no-changes
run pu_refresh --expect-no-changes

step "destroy"
run pu_destroy

step "it ends when it is interrupted, and so do its providers"
kill -0 $plugin && echo "it still runs"
trap - EXIT
kill -INT $plugin
wait $plugin && echo "it has ended"
nothing_left
