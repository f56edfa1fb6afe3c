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
  export TF_CLI_CONFIG_FILE=$SANDBOX/terraform.rc
  printf 'provider_installation {\n  dev_overrides {\n    "example.com/reports/x" = "%s"\n  }\n  direct {}\n}\n' "$PWD" >"$TF_CLI_CONFIG_FILE"
}

# From here on Pulumi is used, through the bridge.
under_pulumi() {
  step "${1:-Pulumi}"
  export FROM_FILE_CLOUD=$SANDBOX/cloud/pulumi FROM_FILE_REQUESTS=$SANDBOX/pulumi.jsonl
  mkdir -p "$FROM_FILE_CLOUD"
  [ -e sdks ] || sdk
  [ -e "$SANDBOX/stack" ] || { stack && touch "$SANDBOX/stack"; }
}

# Makes the package of the provider, as `pulumi package add` does.
sdk() {
  rm -rf sdks
  quiet pulumi package gen-sdk denobridge --language yaml --out sdks -- ./terraform-provider-x "$@"
}

# The schema of the package.
schema() { pulumi package get-schema denobridge -- ./terraform-provider-x; }

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
tf_up() { tf_apply "$@" | ended; }
tf_preview() { tf plan "$@" | ended; }
tf_destroy() { tf destroy -auto-approve "$@" | ended; }
ended() { grep -vE '^\S+: (Creat|Modif|Destr|Read|Refresh|Still)' | sed -nE '/^(Plan: |No changes|Apply complete|Destroy complete|Error: |Warning: |You can apply)/,$p'; }
