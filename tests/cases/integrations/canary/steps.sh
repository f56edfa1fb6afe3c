# Secrets in every position that a resource, a data source or an ephemeral resource has, of a wrapped provider and of our own,
# and real integrations: what their processes read, what they say of it, and the report have none of them.
. "$SUPPORT/recorder.sh"
export TF_CLI_CONFIG_FILE=$SANDBOX/cli.tfrc TF_VAR_token=canary-token TF_VAR_password=canary-write-only
mkdir objects
denobridge wrap "$PROGRAMS/terraform-provider-everything" --as denobridge/everything --version 1.0.0 --dir "$SANDBOX/mirror" \
  --dev > /dev/null
wrapped=$(dirname "$(find "$SANDBOX/mirror" -name 'terraform-provider-everything*' -not -name '*.json' | head -1)")
cat > "$TF_CLI_CONFIG_FILE" << END
provider_installation {
  dev_overrides {
    "brad-jones/denobridge" = "$PROGRAMS"
    "denobridge/everything" = "$wrapped"
  }
}
END
shown() { "$@" >> "$SANDBOX/shown.txt" 2>&1 || true; }
# What has been hidden from them, and where: which paths they were told that there are.
hidden() {
  cat told.jsonl heard.jsonl >> all.txt
  python3 "$SUPPORT/hidden.py" < told.jsonl
  rm told.jsonl heard.jsonl
}

step "made"
shown tf_apply
terraform state list
hidden

step "what drifts has secrets in its paths"
touch drift
shown tf plan
grep -o '"drift":\[[^]]*\]' told.jsonl | sort -u
hidden > /dev/null

step "errors that have them in their texts"
for fails in modifyPlan update "update diagnostic"; do shown tf_apply -var "fails=$fails"; done
shown tf plan -var missing=true
grep -o '"severity":"error","summary":"[^"]*"' told.jsonl | sort -u
hidden > /dev/null

step "removed"
shown tf destroy -auto-approve
terraform state list
hidden > /dev/null

step "none of it was read by a child, or came back"
grep -q '"pre_open_ephemeral"' all.txt && grep -q '"post_read_data_source"' all.txt || fail "not all was asked about"
for canary in canary-token canary-write-only canary-sensitive canary-by-its-name canary-in- canary-of-the canary-private \
  "the secret of" "token of" "$(printf canary-token | base64)"; do
  nowhere "$canary" all.txt report
done
nowhere canary all.txt report
grep -F '[parrot]' "$SANDBOX/shown.txt" > parrot.txt
nowhere canary parrot.txt
