# What a person is told who gives arguments that cannot be used.
try() { refused denobridge try "$@"; }
try
try ../scripts/record.ts --props '{bad'
try ../scripts/record.ts --props '[1]'
try ../scripts/record.ts --props-file absent.json
try ../scripts/record.ts --allow raed
try ../scripts/record.ts --destroy
try ../scripts/absent.ts
try ../scripts/record.ts --props '{"file":"record.json"}' --allow read,write
echo '{"version": 4}' > terraform.tfstate
try ../scripts/record.ts --allow-all --state terraform.tfstate
try ../scripts/record.ts --allow-all --state absent/state.json --props '{"file":"record.json"}'
step "nothing was made"
on_disk record.json
