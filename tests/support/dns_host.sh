# Sourced by cases about examples/dns. Copies the examples and their library, goes there, and starts the DNS host. Sets $host,
# such as 127.0.0.1:8053; it ends with the case.
cp -R "$PROJECT/examples" "$PROJECT/script-sdk" "$SANDBOX"
cd "$SANDBOX/examples/dns" || fail "there is no examples/dns"
deno run --quiet --allow-net=127.0.0.1 host.ts 0 > "$SANDBOX/host" &
host_process=$!
trap 'kill "$host_process" 2> /dev/null' EXIT
until [ -s "$SANDBOX/host" ]; do
  kill -0 "$host_process" 2> /dev/null || fail "the DNS host has not started"
  sleep 0.05
done
host=$(sed 's|^http://||' "$SANDBOX/host")
