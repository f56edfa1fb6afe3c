# What a program may say about a resource beside its properties.
stack
export RECORD_TRACE=$PWD/trace
acted() { grep -v modifyPlan trace | sort; : > trace; }

step "create"
run pu_up
acted

step "a preview asks for plans and nothing else"
pulumi config set value second
run pu_preview
acted

step "ignoreChanges changes nothing; replaceOnChanges deletes first, so that the new object stays"
run pu_up
acted
on_disk ignoring.json replacing.json secret.json kept.json

step "refresh and up in one"
quiet pulumi up --refresh --yes --skip-preview --non-interactive
run pu_preview --expect-no-changes
acted

step "an alias, a new name and a state that was exported and imported again change nothing"
sed -i 's/^  replacing:/  renamed:/; s/options: { replaceOnChanges/options: { aliases: ["urn:pulumi:dev::records::denobridge:index:Script::replacing"], replaceOnChanges/' Pulumi.yaml
quiet pulumi up --yes --skip-preview --non-interactive
quiet pulumi state rename 'urn:pulumi:dev::records::denobridge:index:Script::ignoring' other --yes --non-interactive
sed -i 's/^  ignoring:/  other:/' Pulumi.yaml
pulumi stack export > state.json
quiet pulumi stack import --file state.json --non-interactive
run pu_preview --expect-no-changes

step "destroy keeps what is to be kept"
run pu_destroy
on_disk ignoring.json replacing.json secret.json kept.json
