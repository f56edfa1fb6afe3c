# Sourced by cases about scripts that run somewhere else. Starts scripts/remote_host.ts, whose objects are files in the case's
# folder, for who has the token $1. Sets $host, its address, and $host_process; it ends with the case. The harness holds what
# it was asked and answered against the contract's document.
remote_host() {
  rm -f "$SANDBOX/address"
  ADDRESS=$SANDBOX/address TOKEN=$1 TRAFFIC=$SANDBOX/http-traffic.jsonl \
    deno run --quiet --allow-all "$SCRIPTS/remote_host.ts" &
  host_process=$!
  trap 'kill "$host_process" 2> /dev/null' EXIT
  until [ -e "$SANDBOX/address" ]; do
    kill -0 "$host_process" 2> /dev/null || fail "the remote host has not started"
    sleep 0.05
  done
  host=$(cat "$SANDBOX/address")
  # Who trusts it.
  export SSL_CERT_FILE=$SCRIPTS/tls/authority.crt
}
