# Two types whose tokens differ only in case: none is dropped, and each reaches its own type.
. "$SUPPORT/report.sh"
provider
both_tools ApplyResourceChange
step "Tokens"
schema | pick 'sorted(it["resources"])'
