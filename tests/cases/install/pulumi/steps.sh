# The program as people install it, found by Pulumi among its plugins instead of on PATH.
mkdir "$SANDBOX/bin"
version=$(denobridge --version | sed 's/.* //')
program=$(readlink -f "$PROGRAMS/denobridge")
for name in denobridge deno pulumi pulumi-language-yaml; do
  ln -s "$(readlink -f "$PROGRAMS/$name")" "$SANDBOX/bin/$name"
done
export PATH=$SANDBOX/bin:${PATH#"$PROGRAMS":}
same_everywhere() { sed "s|$program|[PROGRAM]|g; s|$version|[VERSION]|g"; }
plugin() { denobridge doctor | grep -A 1 "^... *Pulumi" | tail -1 | same_everywhere; }
stack

step "not installed"
plugin
pu_up > said && fail "it runs without its plugin"

step "installed"
run denobridge install pulumi | same_everywhere
plugin
pulumi plugin ls --json | pick '[(one["name"], one["kind"]) for one in it]'
run pu_up

step "a copy in its place"
run denobridge install pulumi --copy | sed -n 2p | same_everywhere
run pu_preview --expect-no-changes
