# The life of foreign providers, of protocol 6 and 5, recorded through a real `pulumi up` and what follows it, and played where
# neither the providers nor any secret are.
. "$SUPPORT/recorded.sh"
stack
for provider in everything classic; do
  ln -s "$PROGRAMS/terraform-provider-$provider" .
  quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out "sdks/$provider" --non-interactive -- "./terraform-provider-$provider"
  quiet pulumi config set "$provider:folder" "$SANDBOX/cloud"
done
mkdir "$SANDBOX/cloud"
quiet pulumi config set --secret password canary-write-only
quiet pulumi config set --secret everything:token canary-token
quiet pulumi config set --secret classic:token canary-other-token
record

step "a create of which one half fails"
run pu_up

step "the rest of the life: an update, a refresh that finds drift, and the end"
sed -i 's/, fail: create after//; s/size: 1,/size: 2,/; s/sizeGb: 10/sizeGb: 20/' Pulumi.yaml
run pu_up
sed -i 's/"size": 2/"size": 3/' "$SANDBOX"/cloud/*
run pu_refresh
run pu_destroy
record_no_more

step "the recording is its owner's, and has no secret"
without_secrets canary- Y2FuYXJ5 "the secret of first"

# What is left has no provider, no SDK and no environment.
rm -r terraform-provider-* sdks "$SANDBOX/cloud"

step "it is played without the providers"
played

step "what a provider answers otherwise is told"
played_with '/"CallFunction"/s/QUIET WORDS/SILENCE/'
