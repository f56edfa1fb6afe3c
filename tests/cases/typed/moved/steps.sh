# From the generic resource to the typed one with a moved block: nothing is made again, changed or asked for.
. "$SUPPORT/infra.sh"
mkdir data
quiet denobridge build ./infra --address acme/infra
python3 -m zipfile -e dist/terraform/*.zip release
chmod +x release/terraform-provider-*
cat > overrides.rc <<END
provider_installation {
  dev_overrides {
    "brad-jones/denobridge" = "$PROGRAMS"
    "acme/infra"            = "$PWD/release"
  }
}
END
export TF_CLI_CONFIG_FILE=$PWD/overrides.rc
export TF_CLI_ARGS_apply=-parallelism=1 TF_CLI_ARGS_destroy=-parallelism=1
disk() { (cd data && find . -type f | sort | xargs -r sha256sum); }

step "made by the generic resource"
quiet terraform apply -auto-approve
cat data/buckets/our-assets.json
disk > before

step "taken over, without a change"
sed -i '/^resource/,$d' main.tf
cat typed.txt >> main.tf
run tf plan | grep -v "Refreshing state"
quiet terraform apply -auto-approve
disk | diff before - || fail "something was done"
terraform state list
terraform output

step "nothing is left to do, and the secret is known to be the same"
run tf plan -detailed-exitcode | grep -v "Refreshing state"
nowhere "correct horse" terraform.tfstate

step "another secret is a change"
sed -i 's/correct horse/battery staple/' main.tf
run tf plan | grep -v "Refreshing state"
quiet terraform apply -auto-approve

step "destroy"
quiet terraform destroy -auto-approve
disk

step "what does not fit is refused by name"
sed -i '/^resource "infra_bucket"/,$d' main.tf
cat >> main.tf <<'END'
resource "denobridge_resource" "other" {
  path        = "other.ts"
  props       = { name = "our-assets", colour = "red" }
  permissions = { all = true }
}
END
cat > other.ts <<'END'
import { type Params, serve } from "../scripts/rpc.ts";

await serve({
  health: () => ({ ok: true }),
  create: () => ({ id: "other", state: {} }),
  read: ({ props, state }: Params) => ({ props, state }),
  delete: () => ({}),
});
END
quiet terraform apply -auto-approve
sed -i '/^resource "denobridge_resource"/,$d' main.tf
cat >> main.tf <<'END'
resource "infra_bucket" "other" {
  name = "our-assets"
}

moved {
  from = denobridge_resource.other
  to   = infra_bucket.other
}
END
refused tf plan
