# A set of objects with a computed part: an element is added, one is removed, and their order is changed, which is no change.
. "$SUPPORT/report.sh"
provider
now() {
  printf 'resource "x_thing" "it" {\n' >main.tf
  for name in "$@"; do printf '  part { name = "%s" }\n' "$name" >>main.tf; done
  printf '}\n' >>main.tf
  printf 'name: demo\nruntime: yaml\nresources:\n  it:\n    type: x:Thing\n    properties:\n      parts:\n' >Pulumi.yaml
  for name in "$@"; do printf '        - { name: %s }\n' "$name" >>Pulumi.yaml; done
}
sets() {
  now a b; "$1"
  now b a; "$2"
  now a b c; "$2"; "$1"
  now c b; "$2"; "$1"
  "$2"
}
under_terraform
sets tf_up tf_preview
under_pulumi
sets pu_up pu_preview
step "What the provider was asked"
same_requests
step "Nothing to do after an import"
urn=$(pulumi stack export | pick '[one["urn"] for one in it["deployment"]["resources"] if one["type"].endswith("Thing")][0]' | tr -d '"')
quiet pulumi state delete "$urn" --yes
quiet pulumi import x:index/thing:Thing it it --yes --skip-preview --protect=false --generate-code=false --non-interactive
pu_preview
