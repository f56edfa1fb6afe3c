# A list `restrictions` and an object `restriction` in one block have a type each.
. "$SUPPORT/report.sh"
provider
both_tools
step "Types"
schema | pick '{name: sorted(ty["properties"]) for name, ty in it["types"].items()}'
