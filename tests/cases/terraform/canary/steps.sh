# A script that says every secret it is told on every way that it has: each level of the log, stray lines on standard output,
# warnings, errors and their data. None of it is shown, logged or stored where it should not be.
export TF_LOG=trace TF_LOG_PATH="$SANDBOX/terraform.log" TF_VAR_token=canary-config TF_VAR_password=canary-write-only
export DENOBRIDGE_RECORD="$SANDBOX/recorded.jsonl"
# What was shown, for the search, and what of it is no repetition.
shown() {
  "$@" > "$SANDBOX/last.txt" 2>&1
  # All of it, however little of it the next command reads.
  cat "$SANDBOX/last.txt" >> "$SANDBOX/shown.txt"
  cat "$SANDBOX/last.txt"
}
first() { grep -m1 -A2 "$1"; }

step "create: secrets are taken out of warnings"
shown tf_apply | first "said: create"

step "the other kinds of scripts, in the same run"
for said in "look up" open close; do first "Warning: said: $said" < "$SANDBOX/shown.txt"; done

step "no change, with warnings of a read"
shown tf plan -detailed-exitcode | first "said: read"

for fails in modifyPlan update "update diagnostic"; do
  step "an error of the script's: $fails"
  shown tf_apply -var "fails=$fails" | grep -A6 -m1 "Error:"
done

step "the same with another password"
TF_VAR_password=canary-second shown tf_apply | first "said: update"

step "destroy, once it may"
cp terraform.tfstate before.tfstate
shown tf destroy -auto-approve -var fails=nothing | first "said: delete"

step "what the script keeps for itself is in the state where it is marked, and nothing else is"
nowhere canary-config before.tfstate terraform.tfstate.backup
nowhere canary-write-only before.tfstate terraform.tfstate.backup
nowhere canary-second before.tfstate terraform.tfstate.backup
pick '[[name for name, value in i["attributes"].items() if "canary" in json.dumps(value)] for r in it["resources"] for i in r["instances"]]' < before.tfstate

step "every level of the log has been written to, without any of it"
# Terraform's own core writes dynamic values of a stored state into its log at debug; that line is not ours.
grep -v 'UpgradeResourceState: ignoring dynamic block' "$SANDBOX/terraform.log" > "$SANDBOX/others.log"
for kind in "look up" open; do grep -q "provider.terraform-provider-denobridge.*stray $kind" "$SANDBOX/others.log" || fail "no $kind"; done
for level in DEBUG INFO WARN ERROR TRACE; do
  grep -q "\[$level\].*provider.terraform-provider-denobridge.*create" "$SANDBOX/others.log" || fail "nothing at $level"
done
nowhere canary "$SANDBOX/others.log" "$SANDBOX/shown.txt"

step "what is recorded has none of it either"
grep -q '"ApplyResourceChange"' "$DENOBRIDGE_RECORD" || fail "nothing is recorded"
nowhere canary "$DENOBRIDGE_RECORD"
