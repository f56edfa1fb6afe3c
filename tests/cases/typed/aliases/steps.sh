# From the generic resource to the typed one with aliases: nothing is made again, and no script does anything.
. "$SUPPORT/infra.sh"
mkdir data
quiet sdk ./infra
stack
disk() { (cd data && find . -type f | sort | xargs -r sha256sum); }

step "made by the generic resource"
quiet pu_up
cat data/buckets/our-assets.json
disk > before

step "taken over: only the state is written anew"
sed -i '/^resources:/,$d' Pulumi.yaml
cat typed.txt >> Pulumi.yaml
run pu_preview
run pu_up
disk | diff before - || fail "something was done"
exported | pick 'sorted((one["type"], sorted(one["outputs"])) for one in it["resources"] if one["type"].startswith(("infra:", "denobridge:")))'

step "nothing is left to do, and the secret is known to be the same"
run pu_preview --expect-no-changes
run pu_refresh --expect-no-changes

step "without the aliases too, and a change is one"
sed -i '/options:/d; /aliases:/d; s/maxSize: 1024/maxSize: 2048/' Pulumi.yaml
run pu_up
cat data/buckets/our-assets.json

step "destroy"
run pu_destroy
disk
