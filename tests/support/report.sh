# For the cases under tests/reports/: one provider, made from the case's provider.json, under Terraform and under Pulumi.
# Each tool has a cloud of its own (a folder with a file for every object), and what it asks the provider is written down.
# Sourced by a case's steps.sh.

# Makes a provider of the file, by itself provider.json, under the name x.
provider() {
  export FROM_FILE_PROVIDER=$PWD/${1:-provider.json}
  [ -e terraform-provider-x ] || ln -s "$FROM_FILE" terraform-provider-x
}

# From here on Terraform is used.
under_terraform() {
  step "${1:-Terraform}"
  export FROM_FILE_CLOUD=$SANDBOX/cloud/terraform FROM_FILE_REQUESTS=$SANDBOX/terraform.jsonl
  mkdir -p "$FROM_FILE_CLOUD"
  printf 'terraform {\n  required_providers {\n    x = { source = "example.com/reports/x" }\n  }\n}\n' >provider.tf
  export TF_CLI_CONFIG_FILE=$SANDBOX/terraform.rc
  printf 'provider_installation {\n  dev_overrides {\n    "example.com/reports/x" = "%s"\n  }\n  direct {}\n}\n' "$PWD" >"$TF_CLI_CONFIG_FILE"
}

# From here on Pulumi is used, through the bridge.
under_pulumi() {
  step "${1:-Pulumi}"
  export FROM_FILE_CLOUD=$SANDBOX/cloud/pulumi FROM_FILE_REQUESTS=$SANDBOX/pulumi.jsonl
  mkdir -p "$FROM_FILE_CLOUD"
  [ -e sdks ] || [ ! -e terraform-provider-x ] || sdk
  [ -e "$SANDBOX/stack" ] || { stack && touch "$SANDBOX/stack"; }
}

# Makes the package of the provider, as `pulumi package add` does.
sdk() {
  rm -rf sdks
  quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" --language yaml --out sdks --non-interactive -- ./terraform-provider-x "$@"
}

# The schema of the package.
schema() { pulumi package get-schema "$PROGRAMS/pulumi-resource-denobridge" -- ./terraform-provider-x; }

# Compares what the provider was asked by the two tools, and prints what differs. Arguments are procedures; by itself all
# that plan, apply, read, import or call.
same_requests() { python3 "$SUPPORT/compare_requests.py" "$SANDBOX/terraform.jsonl" "$SANDBOX/pulumi.jsonl" "$@"; }

# Forgets what was asked so far.
forget_requests() { rm -f "$SANDBOX/terraform.jsonl" "$SANDBOX/pulumi.jsonl"; }

# What the provider was asked by the tool that is used: one line for each request, with the parts that are named.
requests() { python3 "$SUPPORT/compare_requests.py" --list "$FROM_FILE_REQUESTS" "$@"; }

# The objects in the cloud of the tool that is used.
cloud() { (cd "$FROM_FILE_CLOUD" && find . -name '*.json' | sort | sed 's|^\./||;s|\.json$||'); }

# Terraform's apply, plan and destroy without what the plan shows of each attribute.
tf_up() { tf_apply "$@" | from_line 'No changes|Apply complete|Error: |Warning: '; }
tf_preview() { tf plan "$@" | from_line 'Plan: |No changes|Changes to Outputs|Error: |Warning: '; }
tf_destroy() { tf destroy -auto-approve "$@" | from_line 'Destroy complete|Error: |Warning: '; }
from_line() {
  grep -vE '^(\S+: (Creat|Modif|Destr|Read|Refresh|Still|Opening|Closing)|Terraform has compared|and found no diff)' |
    sed -nE "/^($1)/,\$p" | cat -s
}

# The provider of the case, with this fault in a procedure.
with_fault() { python3 -c '
import json, sys
provider = json.load(open("provider.json"))
provider["faults"] = [{"procedure": sys.argv[1], "then": json.loads(sys.argv[2])}]
json.dump(provider, open("faulty.json", "w"))' "$@"; export FROM_FILE_PROVIDER=$PWD/faulty.json; }

# A preview without the ids of provider instances, which are made up anew in every run.
pu_preview() { pu preview --diff "$@" 2>&1 | python3 "$SUPPORT/tidy_pulumi.py" --tree | sed -E 's/::[0-9a-f-]{36}\]$/::[ID]]/'; }

# One life under both tools: creation, nothing to do, deletion; and what differs in what the provider was asked.
both_tools() {
  under_terraform
  tf_up
  tf_preview
  tf_destroy
  under_pulumi
  pu_up
  pu_preview
  pu_destroy
  step "What the provider was asked"
  same_requests "$@"
}
