# A run is recorded, and what Terraform asked is asked again where neither the script nor Deno nor any secret is.
export TF_VAR_token=canary-config TF_VAR_password=canary-write-only
export DENOBRIDGE_RECORD="$SANDBOX/run.jsonl"

step "create, an update that fails, destroy"
quiet terraform apply -auto-approve
run tf_apply -var fail=update | grep -A20 '^Error'
quiet terraform destroy -auto-approve
unset DENOBRIDGE_RECORD TF_VAR_token TF_VAR_password

step "the recording is its owner's, and has no secret"
stat -c 'mode %a' "$SANDBOX/run.jsonl"
nowhere canary "$SANDBOX/run.jsonl"
nowhere Y2FuYXJ5 "$SANDBOX/run.jsonl"
# What the script has answered as sensitive state.
nowhere "token for" "$SANDBOX/run.jsonl"

# What is left of the environment has no Deno.
replay() { env -i "$PROGRAMS/denobridge" replay "$1"; }
rm -r "$SCRIPTS"

step "it is played without the script"
replay "$SANDBOX/run.jsonl" > all.txt || fail "$(cat all.txt)"
grep '^  ' all.txt | sort -u
grep -q '[1-9][0-9]* as recorded, 0 different$' all.txt || fail "$(cat all.txt)"

step "an answer that is no answer of this provider is told, with its place"
sed '/"procedure":"ApplyResourceChange"/s/\("response":.*"write_only_props_version":\)1/\1"one"/' "$SANDBOX/run.jsonl" > other.jsonl
cmp -s "$SANDBOX/run.jsonl" other.jsonl && fail "nothing was changed"
refused replay other.jsonl | grep -m1 'cannot be read' | grep -o '"detail":.*'

# What a plugin writes to standard error is in Terraform's log.
logged() { (TF_LOG=debug terraform plan -no-color 2>&1 || true) | grep -o "$1" | sort -u; }

step "a file that has reached its limit is not written any further, and the run goes on"
export DENOBRIDGE_RECORD="$SANDBOX/small.jsonl" DENOBRIDGE_RECORD_MAX_BYTES=2000 TF_VAR_token=a TF_VAR_password=b
cp -R "$PROJECT/tests/scripts" "$SCRIPTS"
quiet terraform apply -auto-approve
[ "$(stat -c %s "$SANDBOX/small.jsonl")" -le 2000 ] || fail "it is larger"
logged 'the recording .* is not complete: .*allows'

step "settings that make no sense are refused"
DENOBRIDGE_RECORD_MAX_BYTES=lots logged 'DENOBRIDGE_RECORD_MAX_BYTES is .*'
DENOBRIDGE_RECORD="$SANDBOX/nowhere/run.jsonl" logged 'DENOBRIDGE_RECORD names .*'
