# The AWS provider, in a release that an SDK of long ago has made, and in one with the largest schema that can be had: the
# package and a plan, which needs no network. We and the Go bridge plan the same.
. "$SUPPORT/peers.sh"
plugin=$PROGRAMS/pulumi-resource-terraform-provider
package_of() {
  [ -e "$PEERS/$1" ] || fail "there is no $1: the case is run by cargo xtask peers"
  ln -sf "$PEERS/$1" terraform-provider-aws
  rm -rf sdks
  quiet pulumi package gen-sdk "$plugin" --language yaml --out sdks -- ./terraform-provider-aws
  sed -i 's/^version: .*/version: 0.0.0-dev/' sdks/*/*.yaml
}
stack

step "2.70.0"
package_of terraform-provider-aws-2
run pu_preview

step "3.39.0"
package_of terraform-provider-aws
pulumi package get-schema "$plugin" -- ./terraform-provider-aws |
  pick '{part: len(it[part]) for part in ["resources", "functions", "types"]} | {"variables": len(it["config"]["variables"])}'
pu_preview | tee ours.txt
with_go pu_preview >theirs.txt
# Settings of the provider are text in the Go bridge.
resources() { sed -n '/^    + aws:/,$p' "$1"; }
diff <(resources ours.txt) <(resources theirs.txt) && echo "the Go bridge plans the same"

step "what the provider finds wrong"
sed -i 's/acl: private/acl: secret/' Pulumi.yaml
refused pu_preview | grep '^error:'
