# What scripts are told once by the provider's configuration, and that a change of it changes no resource.
record_traffic
noted() { cat notes; rm notes; }

step "create"
export TF_VAR_token=canary-token-one
run tf_apply | tail -7
noted

step "another token is no change"
export TF_VAR_token=canary-token-two
run tf plan -detailed-exitcode
noted

step "a token that the script refuses, without the token"
TF_VAR_token=canary-token-expired run tf plan -detailed-exitcode

step "delete has the new one"
run tf destroy -auto-approve | tail -1
noted

step "no secret is anywhere"
nowhere canary- terraform.tfstate terraform.tfstate.backup "$SANDBOX/json-rpc.log"
