# A provider that somebody else wrote, given by its path: its package under each name of the plugin, and one stack's life.
stack
ln -s "$PROGRAMS/terraform-provider-time" .

step "the SDK, by the names of the plugin"
for plugin in denobridge terraform-provider terraform-bridge; do
  quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-$plugin" --language yaml --out "sdks-$plugin" --non-interactive -- ./terraform-provider-time
  find "sdks-$plugin" -type f
  cat "sdks-$plugin"/yaml/*.yaml
  parameter_of "sdks-$plugin"
done
mv sdks-denobridge sdks
rm -r sdks-terraform-provider sdks-terraform-bridge

step "the package without parameters"
pulumi package get-schema "$PROGRAMS/pulumi-resource-terraform-provider" | pick 'it'

step "a binary right in the working directory"
same "$(pulumi package get-schema "$PROGRAMS/pulumi-resource-denobridge" terraform-provider-time)" \
  "$(pulumi package get-schema "$PROGRAMS/pulumi-resource-denobridge" ./terraform-provider-time)"

step "preview, create, no change"
run pu_preview
run pu_up
run pu_preview --expect-no-changes

step "refresh settles"
run pu_refresh --expect-no-changes

step "update in place, and replace"
sed -i 's/offsetDays: 7/offsetDays: 8/; s/a: "1"/a: "2"/' Pulumi.yaml
run pu_preview
run pu_up
run pu_preview --expect-no-changes

step "import"
run pu_import time:index/static:Static imported 2027-01-02T03:04:05Z
exported | pick '[it for it in it["resources"] if it["urn"].endswith("::imported")]'

step "destroy"
run pu_destroy
