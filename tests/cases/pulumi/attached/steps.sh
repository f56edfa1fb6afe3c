# A plugin that was started by hand, as one does with a debugger: two providers of one program keep their settings apart, over
# several deployments.
stack
pulumi-resource-denobridge > "$SANDBOX/port" 2> "$SANDBOX/plugin.log" < /dev/null &
plugin=$!
trap 'kill -INT $plugin' EXIT
until [ -s "$SANDBOX/port" ]; do sleep 0.05; done
export PULUMI_DEBUG_PROVIDERS="denobridge:$(cat "$SANDBOX/port")"
noted() { sort -u notes; rm notes; }

step "create"
run pu_up
noted

step "no change, and refresh"
run pu_preview --expect-no-changes
run pu_refresh
noted

step "destroy"
run pu_destroy
noted

step "it has said how to use it, and ends when it is interrupted"
sed "s/=denobridge:[0-9]*/=denobridge:[PORT]/" "$SANDBOX/plugin.log"
trap - EXIT
kill -INT $plugin
wait $plugin && echo "it has ended"
