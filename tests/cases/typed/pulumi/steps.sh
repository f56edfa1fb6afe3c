# examples/infra as a Pulumi package: every kind of component, with names and types of its own.
. "$SUPPORT/infra.sh"
mkdir -p data/zones
echo '{"serial":1,"records":[{"name":"www","type":"A","value":"192.0.2.1"}]}' > data/zones/example.org.json
disk() { (cd data && find . -type f -name "*.json" | sort); }

step "the SDK, and what the scripts ask for"
run sdk ./infra
grep -v value: sdks/yaml/*.yaml
stack

step "wrong types are refused before anything runs"
sed 's/maxSize: 1024/maxSize: large/' -i Pulumi.yaml
pu_preview 2>&1 | grep -A 4 "maxSize"
sed 's/maxSize: large/maxSize: 0/' -i Pulumi.yaml
refusal assets
sed 's/maxSize: 0/maxSize: 1024/' -i Pulumi.yaml

step "create"
run pu_up
disk
sort -u data/journal
sed -E 's/key-of-people-[-0-9a-f]+/[KEY]/' data/databases/people.json
cat data/buckets/*.json

step "nothing to do"
run pu_preview --expect-no-changes

step "update in place"
sed 's/maxSize: 1024/maxSize: 2048/' -i Pulumi.yaml
run pu_up
cat data/buckets/*.json

step "another name is another bucket"
sed 's/Our Assets/Assets/' -i Pulumi.yaml
run pu_preview
# What is deleted at the end is told in no order.
run pu_up | grep -v " original "
disk

step "what is secret is in no state"
exported > state.json
nowhere "correct horse" state.json "$SANDBOX/backend"
nowhere key-of-people state.json

step "destroy"
run pu_destroy
disk
