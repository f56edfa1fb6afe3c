# What an integration is asked about scripts that are data sources, ephemeral resources and actions, under Pulumi.
. "$SUPPORT/recorder.sh"
export LEASE_TRACE=$PWD/trace
stack
traced() { [ ! -e trace ] || sort trace | uniq -c | sed 's/^ *//'; rm -f trace; }
printed() { [ ! -e printed ] || cat printed; rm -f printed; }
brief() { grep -oE "\[recorder\].*|[0-9]+ (to create|created|replaced|deleted|updated|unchanged|errored)" | sort -u; }

step "a preview looks up and opens, and the action does not run"
run pu_preview | brief
told
traced
printed

step "the first run"
run pu_up | brief
told
traced
printed

step "an action that is refused does not run"
quiet pulumi config set jam forbidden
quiet pulumi config set round 2
refused pu_up | grep -o "\[recorder\].*"
told 'action'
printed

step "a data source that is refused is not read"
quiet pulumi config set jam none
quiet pulumi config set lookedFor forbidden
refused pu_up | grep -o "\[recorder\].*"
told 'data_source'

step "an ephemeral resource that is refused is not opened"
quiet pulumi config rm lookedFor
quiet pulumi config set owner forbidden
refused pu_up | grep -o "\[recorder\].*"
told 'ephemeral'
traced

step "results of ephemeral resources and what is sensitive is told to nobody"
nowhere "token for" all.txt report
