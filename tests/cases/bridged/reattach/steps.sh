# A provider that runs already, as under a debugger: found by either variable, used, and left running.
stack
terraform-provider-time -debug > said.txt 2>&1 &
provider=$!
trap 'kill "$provider" 2>/dev/null' EXIT
for _ in $(seq 600); do grep -q TF_REATTACH_PROVIDERS= said.txt && break; sleep 0.1; done
entries=$(sed -n "s/.*TF_REATTACH_PROVIDERS='\(.*\)'.*/\1/p" said.txt)

step "the package"
PULUMI_BRIDGE_REATTACH_PROVIDERS=$entries quiet pulumi package gen-sdk "$PROGRAMS/pulumi-resource-denobridge" \
  --language yaml --out sdks --non-interactive -- hashicorp/time
parameter_of sdks

step "a program"
export TF_REATTACH_PROVIDERS=$entries
run pu_up
run pu_destroy

step "when the variable is gone, or wrong"
unset TF_REATTACH_PROVIDERS
refusal_of() { "$@" 2>&1 | grep -o 'error: .*' | sort -u; }
refusal_of pu_preview
TF_REATTACH_PROVIDERS='{"hashicorp/time":{"Protocol":"netrpc"}}' refusal_of pu_preview

kill -0 "$provider" || fail "the provider was ended"
