# A provider on terraform-plugin-sdk: blocks of which there is one at most, sets, and private state.
. "$SUPPORT/peers.sh"
there_and_back classic 's/size: 1$/size: 2/' 's/size: 2$/size: 1/'
