# Secrets in every position that resources, data sources and ephemeral resources have under Pulumi, of a bridged provider and of
# scripts, and real integrations: what their processes read, what they say of it, and the report have none of them.
. "$SUPPORT/recorder.sh"
ln -s "$PROGRAMS/terraform-provider-everything" .
stack
quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out sdks/everything --non-interactive \
  -- ./terraform-provider-everything
mkdir objects
quiet pulumi config set everything:folder objects
for setting in everything:token token; do quiet pulumi config set --secret "$setting" canary-token; done
quiet pulumi config set --secret everything:endpoint https://canary-token@example.org
quiet pulumi config set --secret password canary-write-only
shown() { "$@" >> "$SANDBOX/shown.txt" 2>&1 || true; }
hidden() {
  cat told.jsonl heard.jsonl >> all.txt
  python3 "$SUPPORT/hidden.py" < told.jsonl
  rm told.jsonl heard.jsonl
}

step "a preview"
shown pulumi preview --non-interactive
hidden

step "made"
shown pulumi up --yes --skip-preview --non-interactive
pulumi stack export | grep -o '"type": "[a-z]*:[^"]*"' | sort
hidden

step "errors that have them in their texts"
for fails in modifyPlan update "update diagnostic"; do
  quiet pulumi config set fails "$fails"
  shown pulumi up --yes --skip-preview --non-interactive
done
quiet pulumi config set before "not "
shown pulumi preview --non-interactive
# What is given up where the lookup has failed is a matter of time.
grep -o '"severity":"error","summary":"[^"]*"' told.jsonl | grep -v "Failed to open data" | sort -u
hidden > /dev/null

step "refreshed and removed"
shown pulumi refresh --yes --skip-preview --non-interactive
shown pulumi destroy --yes --skip-preview --non-interactive
pulumi stack export | grep -o '"type": "[a-z]*:[^"]*"' | sort
hidden > /dev/null

step "none of it was read by a child, or came back"
grep -q '"pre_open_ephemeral"' all.txt && grep -q '"post_read_data_source"' all.txt || fail "not all was asked about"
for canary in canary-token canary-write-only canary-sensitive canary-by-its-name canary-in- canary-of-the canary-private \
  canary-wrapped "the secret of" "token of" "$(printf canary-token | base64)"; do
  nowhere "$canary" all.txt report
done
nowhere canary- all.txt report
grep -F '[parrot]' "$SANDBOX/shown.txt" > parrot.txt
nowhere canary- parrot.txt
