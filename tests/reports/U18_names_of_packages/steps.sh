# Two providers of one short name in one program, a provider with a hyphen in its name, and a question for help.
. "$SUPPORT/report.sh"
mkdir -p one two
for folder in one two; do
  ln -s "$FROM_FILE" $folder/terraform-provider-my-thing
  sed "s/FOLDER/$folder/" template.json >$folder/provider.json
done
under_pulumi
mkdir sdks
gen() { quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out "$@" && mv "$1" sdks; }
gen first --non-interactive -- ./one/terraform-provider-my-thing
gen second --non-interactive -- ./two/terraform-provider-my-thing --provider-name other
(cd sdks && find . -type f | sort)
pu_up
pu_destroy
step "Help"
run pulumi package get-schema "$PROGRAMS/pulumi-resource-denobridge" -- --help
