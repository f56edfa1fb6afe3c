# The disk is full while a provider is installed: that is what is said, nothing half is left, and with more room it works.
# The disk is a small one in memory, in a mount namespace of its own.
. "$SUPPORT/registry.sh"
mkdir "$SANDBOX/cache"
registry acme/time 0.14.2 "$PROGRAMS/terraform-provider-time"
unshare --map-root-user --mount bash -c 'set -uo pipefail; . "$SUPPORT/steps.sh"; . ./full.sh' || fail "the steps in the namespace"
