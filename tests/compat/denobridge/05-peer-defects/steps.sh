says() { echo "$1" > answers.json; }
fresh() { rm -f terraform.tfstate*; says '{}'; }
plain() { fresh; step "$1"; shift; tf plan "$@" | quiet; }
quiet() { grep -vE '^  (rpc (read|create|open|close)|plan: add=0 change=0|output)'; }

for extra in tuple empty decimal big set map mixed objects; do
  fresh
  step "D1 $extra in props, read back as sent: the next plan"
  tf apply -var extra=$extra > /dev/null
  tf plan -var extra=$extra | quiet
done

fresh
step "D2 an error object from a data source"
says '{"read":{"$error":{"code":-32000,"message":"backend is down"}}}'
tf plan -var kind=data | quiet
step "D2 an error object from open"
says '{"open":{"$error":{"code":-32000,"message":"backend is down"}}}'
tf plan -var kind=ephemeral | quiet
step "D2 result null from create"
says '{"create":null}'
tf apply | quiet
step "D2 result null from read of a resource"
fresh; tf apply > /dev/null; says '{"read":null}'
tf plan | quiet

fresh
step "D3 a list of different types as a result"
says '{"read":{"result":[1,"a"]}}'
tf plan -var kind=data | quiet
step "D3 objects whose member differs in type"
says '{"read":{"result":[{"a":1},{"a":"x"}]}}'
tf plan -var kind=data | quiet
step "D3 in the state of a new resource: made, but not recorded"
fresh; says '{"create":{"id":"x","state":{"l":[1,"a"]}}}'
tf apply | quiet
state denobridge_resource.r id

step "D4 modifiedProps adds a default"
fresh; says '{"modifyPlan":{"modifiedProps":{"note":"n","extra":null,"size":"small"}}}'
tf plan | quiet
step "D4 modifiedProps when deleting"
fresh; tf apply > /dev/null; says '{"modifyPlan:delete":{"modifiedProps":{"note":"n"}}}'
tf destroy | quiet
step "D4 diagnostics together with requiresReplacement"
fresh; tf apply > /dev/null; says '{"modifyPlan":{"requiresReplacement":true,"diagnostics":[{"severity":"error","summary":"not allowed","detail":"frozen"}]}}'
tf plan -var note=other | quiet

step "D5 an error diagnostic beside an id from create: made, but not recorded"
fresh; says '{"create":{"id":"x","diagnostics":[{"severity":"error","summary":"half made","detail":"clean up x"}]}}'
tf apply | quiet
state denobridge_resource.r id
step "D5 a warning from delete without done"
fresh; tf apply > /dev/null; says '{"delete":{"diagnostics":[{"severity":"warning","summary":"slow","detail":"d"}]}}'
tf destroy | quiet

step "D6 write-only props added to an existing resource"
fresh; tf apply > /dev/null
tf apply -var note=other -var secret=s1 | quiet

plain "D7 a script that greets on standard output" -var kind=data -var script=noisy.ts
plain "D7 a script that throws while loading" -var kind=data -var script=broken.ts
plain "D7 a script that isn't there" -var kind=data -var script=absent.ts
plain "D7 a notification from a data source" -var kind=data -var script=speaks.ts
plain "D7 a reply without result from close" -var kind=ephemeral -var script=bare.ts

plain "D8 much on standard error" -var kind=data -var script=chatty.ts
plain "D8 a script that doesn't leave" -var kind=data -var script=stubborn.ts
# The peer was stopped from outside after 8 s. A user can set the limit, in an attribute that the peer does not have.
echo 'provider "denobridge" { limits = { call_timeout = 3 } }' > limits_override.tf
plain "D8 a call that never ends" -var kind=data -var script=silent.ts
rm limits_override.tf

fresh
step "D9 deny beside all"
tf apply -var kind=data -var script=rights.ts -var 'deny=["write"]' | grep -v '^  rpc'
step "D9 config_file /dev/null"
tf apply -var kind=data -var script=mapped/mapped.ts -var config_file=/dev/null | grep -v '^  rpc'
