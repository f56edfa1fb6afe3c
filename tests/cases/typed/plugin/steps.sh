# The archive of `denobridge build --pulumi`, installed as any plugin is, and used without the scripts that it was made of.
. "$SUPPORT/infra.sh"
mkdir data
quiet denobridge build ./infra --pulumi
rm -r infra deno.json "$SANDBOX/script-sdk"
# Nothing of ours but that plugin.
mkdir "$SANDBOX/bin"
for name in deno pulumi pulumi-language-yaml; do ln -s "$(readlink -f "$PROGRAMS/$name")" "$SANDBOX/bin/$name"; done
denobridge=$PROGRAMS/denobridge
export PATH=$SANDBOX/bin:${PATH#"$PROGRAMS":}
stack

step "not installed"
pu_up > said && fail "it runs without its plugin"

step "installed"
quiet pulumi plugin install resource infra 1.2.0 --file dist/pulumi/pulumi-resource-infra-*.tar.gz --non-interactive
pulumi plugin ls --json | pick '[(one["name"], one["kind"], one["version"]) for one in it]'
(cd dist/pulumi && sha256sum --quiet --check SHA256SUMS)
pulumi package get-schema infra@1.2.0 > of-plugin.json
python3 -c '
import json
published, served = (json.load(open(file)) for file in ("dist/pulumi/schema.json", "of-plugin.json"))
print("the schema is the published one:", published == served)'

step "used"
export DENOBRIDGE_RECORD=$SANDBOX/run.jsonl
run pu_up
unset DENOBRIDGE_RECORD
cat data/buckets/*.json
run pu_preview --expect-no-changes

step "what was recorded is played without plugin and scripts"
pulumi plugin rm --all --yes > plugins 2>&1
env -i "$denobridge" replay "$SANDBOX/run.jsonl" > all.txt || fail "$(cat all.txt)"
grep -E ' (Check|Create|Invoke) ' all.txt | sort -u
grep -q ' 0 different$' all.txt || fail "$(cat all.txt)"
