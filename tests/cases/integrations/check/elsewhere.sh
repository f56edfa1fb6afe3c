#!/bin/sh
# Says what it is, and leaves a trace of that it was started.
touch started
read -r _
echo '{"jsonrpc":"2.0","id":1,"result":{"name":"elsewhere","version":"1","subscribed_hooks":["pre_plan_resource"]}}'
cat > /dev/null
