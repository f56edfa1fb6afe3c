# What is published, as `cargo xtask dist` packs it, used by the tools from the archives alone.
platform=$(terraform version -json | pick 'it["platform"]' | tr -d '"')
version=$(denobridge --version | sed 's/.* //')
program=$(readlink -f "$PROGRAMS/denobridge")
same_everywhere() { sed "s|$version|[VERSION]|g; s|$platform|[PLATFORM]|g; s|${platform/_/-}|[PLATFORM]|g"; }
dist() {
  (cd "$PROJECT" && "${CARGO:-cargo}" run --quiet --package xtask -- dist --out "$SANDBOX/dist" "$@" 2>&1) |
    same_everywhere
}
printf 'cp "$1" "$1.sig"\n' > "$SANDBOX/sign.sh"

step "packed, and the sums handed to who signs them"
dist --binary "$platform=$program" --sign "sh $SANDBOX/sign.sh"
(cd "$SANDBOX/dist/terraform" && sha256sum --check --strict ./*SHA256SUMS) | same_everywhere
cat "$SANDBOX"/dist/terraform/*manifest.json

step "nothing is overwritten"
dist --binary "$platform=$program"

step "Terraform, by a mirror that holds the archive"
mirror=$SANDBOX/mirror/registry.terraform.io/brad-jones/denobridge
mkdir -p "$mirror"
cp "$SANDBOX"/dist/terraform/*.zip "$mirror"
printf 'provider_installation {\n  filesystem_mirror { path = "%s" }\n}\n' "$SANDBOX/mirror" > mirror.rc
export TF_CLI_CONFIG_FILE=$PWD/mirror.rc
run terraform init -no-color | grep -E "^- |success|Error" | same_everywhere
run tf_apply | grep -E "^(Plan|Apply)"

step "Pulumi, by the archive"
mkdir "$SANDBOX/bin"
for name in deno pulumi pulumi-language-yaml; do
  ln -s "$(readlink -f "$PROGRAMS/$name")" "$SANDBOX/bin/$name"
done
export PATH=$SANDBOX/bin:${PATH#"$PROGRAMS":}
quiet pulumi plugin install resource denobridge "$version" --file "$SANDBOX"/dist/pulumi/pulumi-*.tar.gz
stack
run pu_up

step "people"
tar -xzf "$SANDBOX"/dist/cli/denobridge-*.tar.gz -C "$SANDBOX/bin"
run denobridge --version | same_everywhere
