# Refreshing what has not changed changes nothing, however often.
stack
quiet pulumi up --yes --skip-preview --non-interactive
exported --show-secrets > created.json
quiet pulumi refresh --yes --skip-preview --non-interactive
exported --show-secrets > once.json
quiet pulumi refresh --yes --skip-preview --non-interactive
exported --show-secrets > twice.json

# The engine itself drops what it knows of dependencies by property.
step "after one refresh"
diff created.json once.json
step "after two"
diff once.json twice.json
step "and nothing to do"
run pu_preview --expect-no-changes
quiet pulumi destroy --yes --skip-preview --non-interactive
