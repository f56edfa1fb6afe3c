# The disk is full while a provider is installed: that is what is said, nothing half is left, and with more room it works.
# The disk is a small one in memory, in a mount namespace of its own.
mkdir "$SANDBOX/registry" "$SANDBOX/cache"
# Ends with the descriptor.
exec 3> >(exec loopback-registry "$SANDBOX/registry" acme/time 0.14.2 "$PROGRAMS/terraform-provider-time" > "$SANDBOX/registry/log" 2>&1)
for _ in $(seq 600); do [ -e "$SANDBOX/registry/host" ] && break; sleep 0.1; done
export SSL_CERT_FILE=$SANDBOX/registry/ca.pem PULUMI_DYNAMIC_TF_PLUGIN_CACHE_DIR=$SANDBOX/cache TF_CLI_CONFIG_FILE=$SANDBOX/cli.tfrc
touch "$TF_CLI_CONFIG_FILE"
unshare --map-root-user --mount bash -c 'set -uo pipefail; . "$SUPPORT/steps.sh"; . ./full.sh' || fail "the steps in the namespace"
