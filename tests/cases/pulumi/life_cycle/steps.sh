# One record from nothing to nothing, with every kind of change between.
stack

step "preview says what it cannot know yet"
run pu_preview
on_disk record.json

step "create"
run pu_up
on_disk record.json

step "no change"
run pu_preview --expect-no-changes

step "update in place"
pulumi config set value second
run pu_preview
run pu_up
on_disk record.json

step "replace"
pulumi config set file moved.json
run pu_preview
run pu_up
on_disk record.json moved.json

step "drift made behind Pulumi's back is found and mended"
printf '{"file":"moved.json","value":"changed by hand","ports":[80,443],"ratio":0.1}\n' > moved.json
run pu_preview_refresh
run pu_refresh
run pu_up
on_disk moved.json

step "gone behind Pulumi's back: created again"
rm moved.json
run pu_refresh
run pu_up
on_disk moved.json

step "destroy"
run pu_destroy
on_disk moved.json
