# Two providers with settings of their own at the same time, and one provider as two packages in one program.
. "$SUPPORT/processes.sh"
stack
ln -s "$PROGRAMS/terraform-provider-everything" .
mkdir east west
add() { quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out "$1" --non-interactive -- "${@:2}"; }
add sdks/everything ./terraform-provider-everything
add sdks/another ./terraform-provider-everything --provider-name another

step "create"
run pu_up
head east/journal west/journal

step "no change"
run pu_preview --expect-no-changes

step "destroy"
run pu_destroy
head east/journal west/journal
nothing_left
