# An import for which Terraform writes the configuration itself: nothing is left to change.
printf '{"file":"record.json","value":"by hand","tags":["a","b"]}\n' > record.json
step "plan"
run tf plan -generate-config-out=generated.tf
cat generated.tf
step "apply, and plan again"
quiet terraform apply -auto-approve
run tf plan -detailed-exitcode
step "moved to another name, it is still the same"
sed -i 's/"denobridge_resource" "record"/"denobridge_resource" "renamed"/' generated.tf
cat > main.tf <<'END'
terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}
moved {
  from = denobridge_resource.record
  to   = denobridge_resource.renamed
}
END
quiet terraform apply -auto-approve
run tf plan -detailed-exitcode
step "another order is a change"
sed -i 's/\["a", "b"\]/["b", "a"]/' generated.tf
quiet terraform apply -auto-approve
on_disk record.json
