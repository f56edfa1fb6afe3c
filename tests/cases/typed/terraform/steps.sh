# examples/infra as a Terraform provider: built, put into a mirror, and used with attributes and types of its own.
. "$SUPPORT/infra.sh"
mkdir -p data/zones
echo '{"serial":1,"records":[{"name":"www","type":"A","value":"192.0.2.1"}]}' > data/zones/example.org.json
disk() { (cd data && find . -type f -name "*.json" | sort); }
# One after the other; what is read and opened beside that comes in no order.
export TF_CLI_ARGS_apply=-parallelism=1 TF_CLI_ARGS_destroy=-parallelism=1
resources() { "$@" | grep -v "^ephemeral\|^data\|: Refreshing state"; }
platform=$(terraform version -json | pick 'it["platform"]' | tr -d '"')
same_everywhere() { sed "s|$platform|[PLATFORM]|g; s|${platform/_/-}|[PLATFORM]|g"; }
printf 'cp "$1" "$1.sig"\n' > sign.sh

step "build"
run denobridge build ./infra --address acme/infra --mirror mirror --pulumi --sign "sh $PWD/sign.sh" | same_everywhere
(cd dist/terraform && sha256sum --check --strict ./*SHA256SUMS) | same_everywhere
python3 -m zipfile --list dist/terraform/*.zip | sed 's/ .*//' | same_everywhere
find dist/docs -type f | sort
sed -n '/^## Schema/,$p' dist/docs/resources/bucket.md

step "nothing is overwritten"
refused denobridge build ./infra

step "the provider, from the mirror"
# The scripts are no longer where they were built.
rm -r "$SANDBOX/script-sdk" infra deno.json
printf 'provider_installation {\n  filesystem_mirror { path = "%s" }\n}\n' "$PWD/mirror" > mirror.rc
export TF_CLI_CONFIG_FILE=$PWD/mirror.rc
run terraform init -no-color | grep -E "^- |success|Error"
run tf validate

step "wrong types are refused before anything runs"
sed 's/days = 7/days = "soon"/' main.tf > wrong.txt && mv main.tf right.txt && cp wrong.txt main.tf
refused tf validate
sed 's/"index.html"/7/' right.txt > main.tf
refused tf validate
cp right.txt main.tf
tf plan -var max_size=0 | sed -n '/^Error/,$p'

step "create"
resources run tf_apply
disk
sort -u data/journal
cat data/buckets/*.json

step "nothing to do"
resources run tf plan -detailed-exitcode

step "update in place, and another name is another bucket"
resources run tf_apply -var max_size=2048
resources run tf_apply -var max_size=2048 -var name=Assets
disk

step "what is secret is in no state"
nowhere "correct horse" terraform.tfstate terraform.tfstate.backup

step "destroy"
resources run tf destroy -auto-approve
disk
