# An `id` that must be set, one that is a number, and none at all.
. "$SUPPORT/report.sh"
provider
both_tools
step "Names"
schema | pick '{token: sorted(one["properties"]) for token, one in it["resources"].items()}'
