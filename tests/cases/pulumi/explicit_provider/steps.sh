# An explicit provider beside the default one, with settings of its own.
stack

step "both work"
run pu_up
on_disk explicit.json default.json
run pu_preview --expect-no-changes

step "another setting of the provider replaces nothing"
sed -i 's/denoBinaryPath: deno/denoBinaryPath: "${deno}"/; s/^runtime: yaml/runtime: yaml\nconfig:\n  deno: { type: string }/' Pulumi.yaml
pulumi config set deno "$PROGRAMS/deno"
run pu_up
run pu_preview --expect-no-changes

step "a setting that cannot work is an error that says what to do"
pulumi config set deno "$SANDBOX/no/such/deno"
sed -i 's/value: 1/value: 3/' Pulumi.yaml
# How many of the others were looked at before the failure is a matter of timing.
run pu_up | grep -v unchanged
on_disk explicit.json

step "destroy"
pulumi config set deno "$PROGRAMS/deno"
quiet pulumi up --yes --skip-preview --non-interactive
quiet pulumi destroy --yes --skip-preview --non-interactive
on_disk explicit.json default.json
