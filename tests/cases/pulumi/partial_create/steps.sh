# A create that succeeded before something else failed is never lost.
stack

step "created, and then an error"
run pu_up
on_disk record.json

step "Pulumi knows the object and what was wrong with it"
pulumi stack export | pick '[(r["id"], r["initErrors"]) for r in it["deployment"]["resources"] if r["type"] == "denobridge:index:Script"]'

step "the next up mends it"
pulumi config set fail no
run pu_up
on_disk record.json

step "a create that failed leaves nothing, and says all that the script said"
quiet pulumi destroy --yes --skip-preview --non-interactive
pulumi config set fail create
run pu_up
pulumi stack export | pick '[r["type"] for r in it["deployment"].get("resources", []) if r["type"] == "denobridge:index:Script"]'

step "an update that failed keeps the old state"
pulumi config set fail no
quiet pulumi up --yes --skip-preview --non-interactive
pulumi config set fail update
run pu_up
pulumi stack export | pick '[r["outputs"]["props"] for r in it["deployment"]["resources"] if r["type"] == "denobridge:index:Script"]'
