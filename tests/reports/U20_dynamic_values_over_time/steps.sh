# A dynamic attribute that is unset, then text, then a number, then a list: after each, nothing more is to do.
. "$SUPPORT/report.sh"
provider
value() {
  if [ -n "$1" ]; then
    sed -i "s|anything.*= .*|anything = $1|" main.tf
    sed -i "s|properties:.*|properties: { anything: $1 }|" Pulumi.yaml
  fi
}
cp main.tf main.unset; cp Pulumi.yaml Pulumi.unset
each_value() {
  cp main.unset main.tf; cp Pulumi.unset Pulumi.yaml
  for now in "" '"text"' 1 '[1, "two"]'; do
    value "$now"
    printf -- '-- %s\n' "${now:-unset}"
    "$1"
    "$2"
  done
}
under_terraform
each_value tf_up tf_preview
under_pulumi
each_value pu_up pu_preview
step "What the provider was asked"
same_requests
