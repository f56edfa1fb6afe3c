# The dynamic type in a resource, in an object of it, in the provider's configuration, in a data source and in a function.
. "$SUPPORT/report.sh"
provider
both_tools
