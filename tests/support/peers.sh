# For the cases under tests/peers/: a stack goes from us to the Go bridge and back. Neither sees a change in what the other
# has made, and both store the same. Sourced by a case's steps.sh, in a folder with a program `Pulumi.yaml` for the provider.

# Runs a command with the Go bridge in our place.
with_go() { PATH="$PEERS:$PATH" "$@"; }

# The outputs of the resources of the package in the state, with all secrets.
outputs() { exported --show-secrets | pick '{it["urn"].split("::")[-1]: it["outputs"] for it in it["resources"] if it["type"].startswith("'"$1"':")}'; }

# No preview, refresh or update finds a change.
no_change() {
  run "$@" pu_preview --expect-no-changes
  run "$@" pu_refresh --expect-no-changes
  run "$@" pu_up --expect-no-changes
}

# A stack of the provider NAME: made by one, continued and changed by the other, and so on. The other arguments are a
# substitution in the program that is a change, and the one that takes it back.
there_and_back() {
  local name=$1 change=$2 back=$3
  ln -s "$PROGRAMS/terraform-provider-$name" .
  quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-terraform-provider" --language yaml --out sdks -- "./terraform-provider-$name"
  # A Go bridge that somebody has built has this version; Pulumi warns of an older one than the SDK asks for.
  sed -i 's/^version: .*/version: 0.0.0-dev/' sdks/*/*.yaml
  stack
  mkdir -p "$SANDBOX/cloud"
  [ "$name" = time ] || quiet pulumi config set "$name:folder" "$SANDBOX/cloud"

  step "made by us"
  run pu_up
  outputs "$name" >by-us.json

  step "the Go bridge sees no change, and makes one"
  no_change with_go
  sed -i "$change" Pulumi.yaml
  run with_go pu_up

  step "we see no change, and make one"
  no_change
  sed -i "$back" Pulumi.yaml
  run pu_up

  step "the Go bridge sees no change, and deletes it"
  no_change with_go
  run with_go pu_destroy

  step "made by the Go bridge"
  run with_go pu_up
  outputs "$name" >by-go.json

  step "we see no change, and delete it"
  no_change
  run pu_destroy

  step "what the Go bridge has stored, and we otherwise"
  python3 "$SUPPORT/differences.py" by-go.json by-us.json
}
