# An element that is ignored and not there yet: the tool leaves it out, and does not make an empty one of it.
. "$SUPPORT/report.sh"
provider
under_terraform
tf_up
sed -i 's/\["a"\]/["b", "c"]/' main.tf
tf_preview
tf_up
requests ApplyResourceChange config planned
under_pulumi
pu_up
sed -i 's/\[a\]/[b, c]/' Pulumi.yaml
pu_preview
pu_up
requests ApplyResourceChange config planned
pu_preview
step "A whole property and one inside of an object"
sed -i 's/\[b, c\]/[b, c], size: 5, owner: { first: Z, last: Z }/; s/\["names\[1\]"\]/["size", "owner.first"]/' Pulumi.yaml
pu_preview
pu_up
