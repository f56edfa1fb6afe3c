#!/bin/sh
# Says what it is, and nothing more.
read -r _
echo '{"jsonrpc":"2.0","id":1,"result":{"name":"silent","version":"1","subscribed_hooks":["pre_plan_resource"]}}'
cat > /dev/null
