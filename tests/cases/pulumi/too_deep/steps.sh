# A state as deep as can be kept, and one that is deeper: it is left out, and the object can still be deleted.
stack
step "as deep as can be"
quiet pulumi up --yes --skip-preview --non-interactive
quiet pulumi refresh --yes --skip-preview --non-interactive
run pu_preview --expect-no-changes
quiet pulumi destroy --yes --skip-preview --non-interactive

step "deeper"
pulumi config set levels 60
run pu_up
run pu_destroy

step "props that are too deep"
python3 - <<'END'
inner = "1"
for _ in range(70):
    inner = "{a: " + inner + "}"
text = open("Pulumi.yaml").read().replace('"${levels}"', inner)
open("Pulumi.yaml", "w").write(text)
END
run pu_up
