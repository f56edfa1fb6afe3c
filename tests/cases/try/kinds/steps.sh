# Every kind of script without Terraform or Pulumi.
step "data source"
run denobridge try ../scripts/lookup.ts --kind datasource --props '{"answer": "{\"result\":{\"n\":1},\"sensitiveResult\":\"hidden\"}"}'

step "ephemeral resource"
run denobridge try ../scripts/lease.ts --kind ephemeral --allow env --props '{"secret": "hidden", "renewIn": 60}' | sed 's/"renewAt": [0-9]*/"renewAt": …/'

step "action, with progress and a failure"
run denobridge try ../scripts/press.ts --kind action --allow write --props '{"pages": 2}'
run denobridge try ../scripts/press.ts --kind action --allow write --props '{"pages": 2, "jam": 1}'

step "function"
run denobridge try ../scripts/functions.ts --kind function --function echo --argument '[1, "a"]' --argument null

step "list"
run denobridge try ../scripts/shelf.ts --kind list --allow read --config '{"shelf": "books"}'

step "options that mean nothing to a kind"
refused denobridge try ../scripts/press.ts --kind action --state state.json
refused denobridge try ../scripts/functions.ts --kind function
