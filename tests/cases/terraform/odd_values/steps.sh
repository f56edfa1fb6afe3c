# Values of every kind go to a script and come back, and the next plan has nothing to change.
quiet terraform apply -auto-approve
run tf plan -detailed-exitcode
step "as the script saw them"
terraform show -json | pick '{r["address"]: r["values"]["state"]["props"] for r in it["values"]["root_module"]["resources"] if "long\"" not in r["address"]}'
quiet terraform destroy -auto-approve
