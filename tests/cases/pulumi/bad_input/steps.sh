# What a person is told when a script is wrong. Nothing of it may be lost, hang or crash.
stack
forget() { pulumi state delete "urn:pulumi:dev::records::denobridge:index:Script::thing" --yes >/dev/null 2>&1; }
for script in missing syntax_error.wrong throws_at_start throws_in_method wrong_type invalid_json exits silent denied; do
  step "$script"
  pulumi config set script "../scripts/bad/$script.ts"
  run pu_up
  forget
done

step "noise on standard output is passed over"
pulumi config set script ../scripts/bad/noise.ts
run pu_up
run pu_destroy

step "a path that is missing, and one of the wrong type"
printf 'name: records\nruntime: yaml\nresources:\n  thing:\n    type: denobridge:Script\n    properties:\n      props: {}\n' > Pulumi.yaml
run pu_preview
printf 'name: records\nruntime: yaml\nresources:\n  thing:\n    type: denobridge:Script\n    properties:\n      path: ../scripts/record.ts\n      permissions: { all: maybe }\n' > Pulumi.yaml
run pu_preview
