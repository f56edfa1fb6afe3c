# What the words after `--` may be, and what is said about those that make no sense.
ln -s "$PROGRAMS/terraform-provider-time" .
add() { pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out sdks --non-interactive -- "$@"; }
schema() { pulumi package get-schema "$PROGRAMS/pulumi-resource-denobridge" -- "$@"; }

step "help"
refused add --help

step "words that make no sense"
refused add --unknown ./terraform-provider-time
refused add ./terraform-provider-time 1.0.0
refused add a/b/c/d
refused add hashicorp/time v1
refused add ./terraform-provider-none
refused add --include time_static --exclude time_static ./terraform-provider-time
refused add --provider-name denobridge ./terraform-provider-time
schema --include time_static,time_ofset --exclude time_sleep,other ./terraform-provider-time 2>&1 | grep -v '^[ {}]'

step "a part of the provider, under a name of its own"
quiet add --include=time_static,rfc3339_parse --provider-name clock ./terraform-provider-time
parameter_of sdks
schema ./terraform-provider-time --exclude time_static,time_sleep --provider-name clock | pick '[sorted(it["resources"]), sorted(it["functions"])]'

step "a path is kept relative to the project"
mkdir -p project/deeper
echo 'name: paths' > project/Pulumi.yaml
cp "$PROGRAMS/terraform-provider-time" project/deeper/
for words in ./terraform-provider-time "$PWD/project/deeper/terraform-provider-time" ../../terraform-provider-time; do
  (cd project/deeper && quiet add "$words" && parameter_of sdks && rm -r sdks)
done

step "word for word the schema of the Go plugin"
schema ./terraform-provider-time --repairs none > none.json
schema ./terraform-provider-time > all.json
pick 'sum("description" in it["resources"][name] for name in it["resources"])' < none.json
pick 'sum("description" in it["resources"][name] for name in it["resources"])' < all.json
refused schema ./terraform-provider-time --repairs some
