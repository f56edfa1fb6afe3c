# The package by the plugin's file: its schema, an SDK for YAML, and a program that uses it.
stack

step "get-schema"
pulumi package get-schema "$PROGRAMS/pulumi-resource-denobridge" > schema.json
pick 'it' < schema.json

step "gen-sdk"
quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out sdks --non-interactive
find sdks -type f | sort
cat $(find sdks -type f -name '*.yaml')

step "up with the generated package file"
run pu_up
on_disk record.json

step "destroy"
quiet pulumi destroy --yes --skip-preview --non-interactive
