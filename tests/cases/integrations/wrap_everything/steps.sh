# A provider of protocol 6 with this program before it: resources, data sources, ephemeral resources and functions, and what
# an integration is asked about them.
. "$SUPPORT/recorder.sh"
. "$SUPPORT/wrapped.sh"
wrapped terraform-provider-everything denobridge/everything 1.0.0
mkdir objects
quiet terraform init
# What the provider has done. How often a token is renewed is a matter of time.
journal() { [ ! -e objects/journal ] || grep -v renew objects/journal; rm -f objects/journal; }
brief() { grep -E '^(Error|Warning|Plan|Apply complete|Destroy complete|shouted|size)'; }

step "plan"
run tf plan | brief
told
journal

step "apply: the data source is read when the resource is there"
run tf_apply | brief
told
journal

step "without a change"
run tf plan -detailed-exitcode | grep -A1 '^No changes'
told 'stage|data_source|ephemeral'
journal

step "a change"
run tf_apply -var size=2 | brief
told 'data_source|apply_resource'
journal

step "a data source that is refused is not read"
refused tf plan -var size=2 -var note=forbidden | sed -n '/^Error/,$p'
told 'data_source'
journal

step "an ephemeral resource that is refused is not opened"
refused tf plan -var size=2 -var owner=forbidden | sed -n '/^Error/,$p'
told 'ephemeral'
journal

step "destroy"
run tf destroy -auto-approve | brief
told 'delete|ephemeral|data_source|stage'
journal

step "in no state is what is secret, and nobody was told of it"
nowhere "token of ada" all.txt report terraform.tfstate terraform.tfstate.backup
nowhere "canary-of-the-provider" all.txt report
nowhere "the secret of one" all.txt report
