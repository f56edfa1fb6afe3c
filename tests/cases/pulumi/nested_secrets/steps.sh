# A secret inside of something stays one wherever a program passes it on: whole objects, and text made of them.
stack

step "create"
run pu_up
on_disk first.json second.json
exported > exported.json
nowhere canary exported.json "$SANDBOX/backend/.pulumi/stacks"
run pu_preview --expect-no-changes

step "drift beside a secret: the inputs say what is secret as the program does"
printf '{"file":"first.json","value":["canary-in-list",3],"tags":{"a":"canary-in-map"}}\n' > first.json
run pu_refresh
exported > exported.json
nowhere canary exported.json
exported --show-secrets | pick '[sorted(r["inputs"]["props"]) + r["inputs"]["props"]["value"][1:] for r in it["resources"] if r["urn"].endswith("::first")]'
run pu_up
on_disk first.json

step "another secret, and an ignored one that stays as it is"
sed -i 's/fn::secret: canary-in-list/fn::secret: canary-number-two/; s/fn::secret: canary-ignored/fn::secret: canary-not-taken/' Pulumi.yaml
run pu_preview
run pu_up
on_disk first.json second.json ignoring.json
exported > exported.json
nowhere canary exported.json

step "destroy"
quiet pulumi destroy --yes --skip-preview --non-interactive
