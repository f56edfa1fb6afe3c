# A provider of protocol 5 that crashes on a value which was not sent at all: every call has all of them.
. "$SUPPORT/report.sh"
provider
both_tools
