# Objects of several shapes in one dynamic list stay as the user wrote them.
. "$SUPPORT/report.sh"
provider
both_tools
