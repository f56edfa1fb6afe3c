# An object that is there already, taken over by its JSON id.
printf '{"file":"record.json","value":"by hand"}\n' > record.json
id='{"id":"record.json","path":"../scripts/record.ts","permissions":{"allow":["read","write","env=RECORD_TRACE"]}}'
stack

step "import by the option"
run pu_up
run pu_preview --expect-no-changes
on_disk record.json

step "import by the command"
quiet pulumi state delete 'urn:pulumi:dev::records::denobridge:index:Script::record' --yes --non-interactive
run pu_import denobridge:index:Script record "$id"
pulumi stack export | pick '[(r["id"], r["inputs"]) for r in it["deployment"]["resources"] if r["type"] == "denobridge:index:Script"]'
sed -i '/options:/,$d' Pulumi.yaml
run pu_preview --expect-no-changes

step "what is not there cannot be imported"
rm record.json
run pu_import denobridge:index:Script other "$id"
