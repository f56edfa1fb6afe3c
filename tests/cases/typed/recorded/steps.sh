# The life of a resource with write-only secrets of a package of scripts, recorded through a real `pulumi up` and what follows
# it, each in a process of its own, and played where neither the scripts nor any secret are.
. "$SUPPORT/recorded.sh"
. "$SUPPORT/infra.sh"
quiet sdk ./infra
stack
quiet pulumi config set --secret password canary-write-only
record

step "create"
run pu_up

step "the rest of the life: an update, another password, a refresh that finds drift, and the end"
sed -i 's/days: 7/days: 30/; s/owner: somebody/owner: nobody/' Pulumi.yaml
run pu_up
quiet pulumi config set --secret password canary-of-tomorrow
run pu_up
sed -i 's/"owner":"nobody"/"owner":"a stranger"/' data/databases/things.json
run pu_refresh
run pu_up
key=$(pick 'it["key"]' <data/databases/people.json | tr -d '"')
digest=$(pick 'it["password"]' <data/databases/people.json | tr -d '"')
run pu_destroy
record_no_more

step "the recording is its owner's, and has no secret"
without_secrets canary- Y2FuYXJ5 key-of- a2V5LW9m "$key" "$digest"

# What is left has no scripts, no SDK and no environment.
rm -r infra sdks data deno.json "$SANDBOX/script-sdk"

step "it is played without the scripts"
played

step "what a script answers otherwise is told"
played_with '/"ReadResource"/s/a stranger/a friend/'
