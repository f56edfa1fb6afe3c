# A script on another machine, which is called over TLS and lets in who has its token.
. "$SUPPORT/remote_host.sh"
remote_host canary-token-one
export TF_VAR_host=$host TF_VAR_token=canary-token-one
# The lease is opened and closed beside everything else, in no order.
resource() { "$@" | grep -v "^ephemeral"; }
brief() { "$@" | grep -E "^(Plan|Apply|Destroy|No changes)|complete after" | sort; }

step "create"
brief tf_apply
cat a.txt && echo

step "nothing to do"
brief tf plan

step "update in place, which is answered without content"
brief tf_apply -var content=two
cat a.txt && echo

step "replaced, because the script says so"
brief tf_apply -var content=two -var path=b.txt
texts

step "refused by the script, at the property"
resource run tf plan -var content=

step "another token is not let in"
TF_VAR_token=canary-token-two run tf plan -target denobridge_resource.file

step "a host that nobody vouches for is not trusted"
(unset SSL_CERT_FILE && resource run tf plan -target data.denobridge_datasource.length)

step "without encryption nothing is sent"
TF_VAR_host=http://scripts.example.com resource run tf plan

step "the token is in no state, and neither in a plan"
tf plan -out planned -var content=three > said
nowhere canary- terraform.tfstate planned said

step "destroy"
brief tf destroy -auto-approve
texts

step "nobody is there any more"
kill "$host_process"
wait "$host_process" 2> /dev/null
tf plan > said
grep -A 8 "^Error" said | head -9
