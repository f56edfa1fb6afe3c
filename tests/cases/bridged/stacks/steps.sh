# A stack that the Go bridge has made goes on under us as if nothing had happened.
export PULUMI_CONFIG_PASSPHRASE=compat
ln -s "$PROGRAMS/terraform-provider-time" .
stack
sed 's/pulumi:time-dev::/pulumi:dev::/g; s/compat-time-time-dev/compat-time-dev/g' stack.json >imported.json
quiet pulumi stack import --file imported.json
kept() { exported --show-secrets | pick '{it["urn"].split("::")[-1]: [it.get(part) for part in ["id", "inputs", "outputs"]] for it in it["resources"]}'; }
kept >before.json

step "no change"
run pu_preview --expect-no-changes
run pu_refresh --expect-no-changes
run pu_up --expect-no-changes

step "what is stored is what was stored"
kept >after.json
diff before.json after.json && echo "not a byte differs"

step "an update, then no change"
sed -i 's/offsetDays: 7/offsetDays: 8/' Pulumi.yaml
run pu_preview
run pu_up
run pu_preview --expect-no-changes

step "a state without a recipe for raw state, as an old bridge or an editor leaves it"
pulumi stack export >state.json
pick '[it, [resource["outputs"].pop("__pulumi_raw_state_delta", 0) for resource in it["deployment"]["resources"] if "outputs" in resource]][0]' <state.json >edited.json
quiet pulumi stack import --file edited.json
run pu_preview --expect-no-changes
run pu_refresh --expect-no-changes

step "a recipe that does not fit"
pulumi stack export >state.json
pick '[it, [resource["outputs"].update(triggers="edited") for resource in it["deployment"]["resources"] if resource["urn"].endswith("::sleep")]][0]' <state.json >edited.json
quiet pulumi stack import --file edited.json
run pu_refresh --target urn:pulumi:dev::compat-time::time:index/sleep:Sleep::sleep
quiet pulumi stack import --file state.json

step "destroy"
run pu_destroy
