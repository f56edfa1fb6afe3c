# How scripts are spoken to, and what they get for props that nobody gives: null over HTTP, as that contract has it, and {}
# over standard input and output.
outputs() { tf plan "$@" | sed -n '/^Changes to Outputs/,/^You can/p' | grep -v "^You can"; }

step "the script tells"
outputs

step "props that are given are the same for both"
outputs -var props='{}'
outputs -var props='{"a":1}'

step "it is told for the one script"
outputs -var served=http
outputs -var all=jsonrpc -var served=http
outputs -var all=jsonrpc -var served=auto

step "it is told wrongly"
run tf plan -var all=jsonrpc
run tf plan -var served=jsonrpc
run tf plan -var served=smtp
run tf plan -var all=smtp
