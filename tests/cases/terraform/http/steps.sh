# Scripts of the older contract: every kind that it has, unchanged.
# The lease is opened and closed beside everything else, in no order.
resource() { "$@" | grep -v "^ephemeral"; }

step "create"
tf apply -auto-approve > said
grep -v "^ephemeral" said
grep "^ephemeral.*complete" said | sed "s/ after.*//"
cat a.txt && echo

step "nothing to do"
run tf plan -detailed-exitcode

step "update, answered without content"
resource run tf apply -auto-approve -var content=two
cat a.txt && echo

step "replaced, because the script says so"
resource run tf apply -auto-approve -var content=two -var path=b.txt
ls | grep "\.txt$" || echo "no file"

step "refused by the script, at the property"
run tf plan -var content=

step "gone"
rm b.txt
run tf plan -var content=two -var path=b.txt -detailed-exitcode | tail -5

step "destroy"
run tf apply -auto-approve -var content=two -var path=b.txt > said
resource run tf destroy -auto-approve -var content=two -var path=b.txt
ls | grep "\.txt$" || echo "no file"
