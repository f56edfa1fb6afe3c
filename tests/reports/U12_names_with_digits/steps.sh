# Names with digits come back as they were.
. "$SUPPORT/report.sh"
provider
both_tools
