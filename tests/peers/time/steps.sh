# A provider that somebody else wrote with terraform-plugin-framework.
. "$SUPPORT/peers.sh"
there_and_back time 's/offsetDays: 7/offsetDays: 8/' 's/offsetDays: 8/offsetDays: 7/'
