# Scripts as they were written for the Go provider's library, which an import map leads to ours.
. "$SUPPORT/peer_library.sh"
stack
# When an action tells of its progress is a matter of time.
up() {
  pu_up > said || fail "$(cat said)"
  sed -E 's/;? (about to write nowhere|done by true)//' said
}

step "create"
up
cat note.txt && echo
sort -u closed.txt

step "nothing to do"
run pu_preview --expect-no-changes

step "update in place"
pulumi config set text three
up
cat note.txt && echo

step "replaced, because the script says so"
pulumi config set path other.txt
up

step "destroy, of which the script warns"
run pu_destroy
texts
