# Every kind of attribute and block of terraform-plugin-framework, private state, an upgrade's version and a write-only value.
# `timeouts` are not set: with them, this version of the Go bridge fails after it has made the resource.
. "$SUPPORT/peers.sh"
there_and_back everything 's/text: one/text: two/; s/size: 1/size: 2/' 's/text: two/text: one/; s/size: 2/size: 1/'
