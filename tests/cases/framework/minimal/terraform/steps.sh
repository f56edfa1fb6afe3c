# The provider of sixty lines under Terraform.
step "create"
run tf_apply
on_disk notes/first

step "no change"
run tf plan -detailed-exitcode

step "drift is found and mended"
printf 'by hand' > notes/first
run tf_apply
on_disk notes/first

step "destroy"
run tf destroy -auto-approve
on_disk notes/first

step "started by hand"
refused terraform-provider-minimal
