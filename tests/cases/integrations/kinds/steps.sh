# What an integration is asked about scripts that are data sources and ephemeral resources, under Terraform. Actions need a
# later Terraform; under Pulumi they are resources (kinds_pulumi).
. "$SUPPORT/recorder.sh"
export LEASE_TRACE=$PWD/trace
traced() { [ ! -e trace ] || sort trace | uniq -c | sed 's/^ *//'; rm -f trace; }
brief() { grep -E '^(Error|Warning|Plan|Apply complete|Destroy complete)'; }

step "apply"
run tf_apply | brief
told
traced

step "a data source that is refused is not read"
refused tf plan -var looked_for=forbidden | sed -n '/^Error/,$p'
told 'data_source'

step "an ephemeral resource that is refused is not opened"
refused tf plan -var owner=forbidden | sed -n '/^Error/,$p'
told 'ephemeral'
traced

step "destroy"
run tf destroy -auto-approve | brief
told 'data_source|ephemeral'

step "results of ephemeral resources and what is sensitive is told to nobody"
nowhere "token for" all.txt report
