# What a person is told when a script is wrong. Nothing of it may be lost, hang or crash.
for script in missing syntax_error.wrong throws_at_start throws_in_method wrong_type invalid_json exits silent denied; do
  step "$script"
  run tf_apply -var "script=../scripts/bad/$script.ts"
  rm -f terraform.tfstate*
done

step "noise on standard output is passed over"
run tf_apply -var script=../scripts/bad/noise.ts
run tf destroy -auto-approve -var script=../scripts/bad/noise.ts

step "ten megabytes of answer and a very long line of standard error"
export TF_VAR_call_timeout=300
quiet terraform apply -auto-approve -var script=../scripts/bad/large.ts
terraform show -json | pick 'len(it["values"]["root_module"]["resources"][0]["values"]["state"]["text"])'
quiet terraform destroy -auto-approve -var script=../scripts/bad/large.ts
