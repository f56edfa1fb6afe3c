# Values that only another resource's creation will tell.
stack

step "preview shows them as unknown"
run pu_preview

step "up puts them in"
quiet pulumi up --yes --skip-preview --non-interactive
on_disk first.json second.json

step "no change"
run pu_preview --expect-no-changes

step "a change of the first one reaches the second"
pulumi config set value longer-than-before
run pu_up
on_disk first.json second.json

step "destroy"
quiet pulumi destroy --yes --skip-preview --non-interactive
on_disk first.json second.json
