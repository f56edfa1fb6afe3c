# The provider of sixty lines under Pulumi.
stack

step "create"
run pu_up
on_disk notes/first

step "no change"
run pu_preview --expect-no-changes

step "drift is found and mended"
printf 'by hand' > notes/first
run pu_refresh
run pu_up
on_disk notes/first

step "destroy"
run pu_destroy
on_disk notes/first
