# Names inside of an object type that are no names in any language come back as they were.
. "$SUPPORT/report.sh"
provider
both_tools
step "Names"
schema | pick '{name: sorted(ty["properties"]) for name, ty in it["types"].items()}'
