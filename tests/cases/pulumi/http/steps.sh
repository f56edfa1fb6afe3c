# Scripts of the older contract, served here: every kind that it has, unchanged.
stack

step "create"
run pu_up
cat a.txt && echo

step "nothing to do"
run pu_preview --expect-no-changes

step "update in place, answered without content"
pulumi config set content two
run pu_up
cat a.txt && echo

step "replaced, because the script says so"
pulumi config set path b.txt
run pu_up
texts

step "refused by the script, at the property"
pulumi config set content ""
refusal file
pulumi config set content two

step "told to speak JSON-RPC, it cannot"
pulumi config set transport jsonrpc
refusal file
pulumi config set transport smtp
refusal file
pulumi config rm transport

step "destroy"
run pu_destroy
texts
