# Starters of every kind: tested as they are told to be, and used from Terraform as they are told to be. (Actions need Terraform
# 1.14.)
cat > main.tf <<'END'
terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}
END
for starter in "resource shop" "datasource digest" "ephemeral token" "function texts" "action count"; do
  step "$starter"
  # shellcheck disable=SC2086
  run denobridge new $starter > told
  cat told
  [ "$starter" = "action count" ] || sed -n '/^Use it from Terraform/,$s/^  //p' told >> main.tf
done

step "their tests"
for name in shop digest token texts count; do
  deno test "${name}_test.ts" > said 2>&1 || fail "$(cat said)"
  grep -E "passed" said | sed 's/(.*//'
done

step "their style and types"
quiet deno fmt --check
quiet deno lint
quiet deno check ./*.ts

step "used"
tf_apply | grep -v "^ephemeral" | sed -E 's/web-[0-9a-f]{8}/web-[RANDOM]/'
quiet terraform destroy -auto-approve

step "an action"
run denobridge try count.ts --kind action --props '{"steps": 2}'
