# What a script made is recorded, however badly it says so; and what can be understood is no error.
record_traffic damaged
# The plan, which is the same each time, is left out, and so is Deno's own part of a stack.
apply() { run tf_apply -var "how=$1" | sed -E '/^Terraform used/,/^Plan: /d; /\(ext:/d; s/"id":[0-9]+/"id":N/'; }
resources() { terraform show -json | pick '[(r["values"]["id"], r.get("tainted", False)) for r in it["values"]["root_module"]["resources"]]' | tr -d '\n '; echo; }

for how in "twice" "id as text" "unknown id first" "behind text" "throws later" "text cut in a character"; do
  step "understood: $how"
  quiet terraform apply -auto-approve -var "how=$how"
  resources
  rm terraform.tfstate
done
for how in "noise inside" "not a number" "too deep" "diagnostics are text" "exits inside" "too large"; do
  step "an error, and the object is recorded: $how"
  apply "$how"
  resources
  rm terraform.tfstate
done
step "nothing is recorded of what was never named"
apply "throws before"
same "$(terraform state list)" ""
