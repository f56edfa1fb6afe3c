# examples/dns as its README says: every kind of script that this Terraform has.
. "$SUPPORT/dns_host.sh"
export TF_VAR_api=http://$host TF_VAR_token="open sesame"
record_traffic
# The session is opened and closed beside everything else, in no order.
resources() { "$@" | grep -v "^ephemeral"; }

step "create"
resources run tf_apply

step "nothing to do"
run tf plan -detailed-exitcode | grep -v "^ephemeral"

step "another address is an update"
resources run tf_apply -var address=192.0.2.2

step "what is no address is refused while planning"
resources run tf plan -var address=here

step "another token changes no record"
TF_VAR_token=wrong tf plan > said
grep -A 6 "^Error" said | head -7

step "imported by its id"
quiet terraform state rm denobridge_resource.www
cat > import.tf <<END
import {
  to = denobridge_resource.www
  id = jsonencode({
    id = "example.org/www/A", path = "./record.ts", permissions = { allow = ["net=$host"] }
  })
}
END
resources run tf_apply -var address=192.0.2.2
rm import.tf

step "destroy"
resources run tf destroy -auto-approve -var address=192.0.2.2

step "the token is nowhere"
nowhere "open sesame" terraform.tfstate terraform.tfstate.backup "$SANDBOX/json-rpc.log"
