# Two attributes that would have one name each keep their value, at every depth.
. "$SUPPORT/report.sh"
provider
both_tools
step "Names"
schema | pick '{"resource": sorted(it["resources"]["x:index/thing:Thing"]["inputProperties"]), "types": {name: sorted(ty["properties"]) for name, ty in it["types"].items()}}'
