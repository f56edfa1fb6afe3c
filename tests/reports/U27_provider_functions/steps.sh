# Functions of no, one, two and any number of arguments, with null in the middle and with a tuple as result.
. "$SUPPORT/report.sh"
provider
both_tools
step "An argument that is wrong"
under_terraform ""
printf 'output "wrong" { value = provider::x::two("fail", 1) }\n' >wrong.tf
tf_preview
under_pulumi ""
cp wrong.yaml Pulumi.yaml
run pu_preview
