# Fifty resources with as many calls at once as Terraform will make.
mkdir records
quiet terraform apply -auto-approve -parallelism=50
step "all of them are there"
same "$(find records -name '*.json' | wc -l)" 50
for number in $(seq 0 49); do
  same "$(cat "records/$number.json")" "{\"file\":\"records/$number.json\",\"value\":$number,\"passwordLength\":null}"
done
run tf plan -detailed-exitcode -parallelism=50
step "and gone again"
quiet terraform destroy -auto-approve -parallelism=50
same "$(find records -name '*.json' | wc -l)" 0
