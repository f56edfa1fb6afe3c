# Null, empty and zero are different things, and the provider is told the same by both tools. What differs is that
# Pulumi's own languages leave out members of maps that are null.
. "$SUPPORT/report.sh"
provider
both_tools
