# The life of foreign providers, of protocol 6 and 5, recorded through a real `pulumi up` and what follows it, and played where
# neither the providers nor any secret are.
. "$SUPPORT/processes.sh"
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
export DENOBRIDGE_RECORD="$SANDBOX/run.jsonl"

step "a create of which one half fails"
run pu_up

step "the rest of the life: an update, a refresh that finds drift, and the end"
sed -i 's/, fail: create after//; s/size: 1,/size: 2,/; s/sizeGb: 10/sizeGb: 20/' Pulumi.yaml
run pu_up
sed -i 's/"size": 2/"size": 3/' "$SANDBOX"/cloud/*
run pu_refresh
run pu_destroy
unset DENOBRIDGE_RECORD
nothing_left

step "the recording is its owner's, and has no secret"
stat -c 'mode %a' "$SANDBOX/run.jsonl"
nowhere canary- "$SANDBOX/run.jsonl"
nowhere Y2FuYXJ5 "$SANDBOX/run.jsonl"
nowhere "the secret of first" "$SANDBOX/run.jsonl"

# What is left has no provider, no SDK and no environment.
replay() { env -i "$PROGRAMS/denobridge" replay "$1"; }
rm -r terraform-provider-* sdks "$SANDBOX/cloud"

step "it is played without the providers"
replay "$SANDBOX/run.jsonl" >all.txt
same "$?" 0 "$(cat all.txt)"
# Resources are worked on at the same time, and providers are asked more than once for the same.
grep -oE 'same +[A-Z].*::.*' all.txt | grep -v pulumi:providers: | sort | uniq -c
grep -q ' 0 different$' all.txt || fail "$(cat all.txt)"

step "what a provider answers otherwise is told"
sed '/"CallFunction"/s/QUIET WORDS/SILENCE/' "$SANDBOX/run.jsonl" >other.jsonl
cmp -s "$SANDBOX/run.jsonl" other.jsonl && fail "nothing was changed"
refused replay other.jsonl >other.txt
sed -n '/^  different /,+1p' other.txt | sort -u
