# The result of a data source has what its schema has, and no `id` of somebody else's making.
. "$SUPPORT/report.sh"
provider
both_tools
step "Results"
schema | pick '{name: sorted(fn["outputs"]["properties"]) for name, fn in it["functions"].items() if "Look" in name}'
