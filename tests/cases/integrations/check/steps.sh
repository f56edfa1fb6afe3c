# `denobridge integrations check`: what is said of a configuration, and what its integrations answer.
cp -R "$PROJECT/examples" "$PROJECT/script-sdk" "$PROJECT/clients" "$SANDBOX"
here=$PWD

# What integrations write into the log comes at any time: only what the command itself says is looked at.
check() {
  printf '$ denobridge integrations check %s\n' "$*"
  local code=0
  denobridge integrations check "$@" 2> "$SANDBOX/errors" || code=$?
  sed -n '/^error: /,$p' "$SANDBOX/errors"
  [ "$code" -eq 0 ] || printf '(exit code %s)\n' "$code"
}

step "nothing here"
check

step "found, not named"
cp sound.toml integrations.toml
check --no-start
TF_EXPERIMENT_integration_sdk=1 check --no-start
check
check --only elsewhere
[ ! -e started ] || fail "it was started"
TF_EXPERIMENT_integration_sdk=1 check --only elsewhere
rm integrations.toml started

step "everything that is wrong"
check wrong.toml
check wrong.hcl
check missing.json

step "samples of every hook"
check sound.toml --only odd
check sound.toml --only nobody

step "the environment"
export TF_VAR_password=here PLUGIN_PROTOCOL_VERSIONS=here TF_PLUGIN_MAGIC_COOKIE=here PULUMI_ACCESS_TOKEN=here
export AWS_SECRET_ACCESS_KEY=here GITHUB_TOKEN=here VAULT_TOKEN=here INHERITED=here
check sound.toml --only environment --only listed

step "another provider"
check sound.toml --only elsewhere
[ -e started ] || fail "it was not started"
check sound.toml --only elsewhere --events events.jsonl

step "what does not work"
check broken.toml

step "the events of a run"
check sound.toml --only odd --events events.jsonl
check sound.toml --only listed --events events.jsonl
printf '{"kind":"answer","time":1}\n\n' > empty.jsonl
check sound.toml --events empty.jsonl
check sound.toml --events missing.jsonl

step "what is no report"
wrong() {
  cp empty.jsonl wrong.jsonl
  printf '%s\n' "$1" >> wrong.jsonl
  check sound.toml --events wrong.jsonl | sed 1d
}
check sound.toml --events sound.toml
wrong '[1, 2]'
wrong '{"kind": 1}'
wrong '{"kind": "event", "time": 1}'
wrong '{"kind": "event", "time": 1, "hook": "pre_destroy"}'
wrong '{"kind": "event", "time": 1, "hook": "pre_plan_resource"}'
wrong '{"kind": "event", "time": 1, "hook": "pre_plan_resource", "params": {"run": {"id": "r"}}}'

step "the examples"
for example in policy cost audit notifier drift; do
  cd "$SANDBOX/examples/integrations/$example" || fail "there is no $example"
  check integrations.toml
done
cat drift/drift.md
run python3 ../audit/audit.py verify ../audit/audit.jsonl
cd "$here" || fail "there is no $here"
