# Names that mean something to Pulumi, in a resource, in an object inside of it and in the provider's configuration.
. "$SUPPORT/report.sh"
provider
both_tools
step "Names"
schema | pick '{"resource": sorted(it["resources"]["x:index/thing:Thing"]["inputProperties"]), "config": sorted(it["config"]["variables"]), "types": {name: sorted(ty["properties"]) for name, ty in it["types"].items()}}'
