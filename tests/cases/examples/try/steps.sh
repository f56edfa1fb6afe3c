# examples/dns by the embedded host, as its README says.
. "$SUPPORT/dns_host.sh"
traffic=0
try() {
  traffic=$((traffic + 1))
  denobridge try "$@" --allow "net=$host" --record "$SANDBOX/json-rpc-$traffic.log" \
    --config "{\"api\": \"http://$host\"}" --sensitive-config '{"token": "open sesame"}' 2>&1
}

step "a record"
run try record.ts --props '{"zone": "example.org", "name": "www", "type": "A", "value": "192.0.2.1"}' \
  --then '{"zone": "example.org", "name": "www", "type": "A", "value": "192.0.2.2"}'

step "an action"
run try flush.ts --kind action --props '{"zone": "example.org", "servers": ["ns1", "ns2"]}'

step "a search"
run try record.ts --kind list --props '{"zone": "example.org"}'

step "a data source"
run try zone.ts --kind datasource --props '{"zone": "example.org"}'

step "a session"
run try session.ts --kind ephemeral --props '{"zone": "example.org"}' > said
sed -E 's/"renewAt": [0-9]+/"renewAt": …/; s/[0-9a-f]{8}-[0-9a-f-]{27}/[ID]/' said

step "a function"
run denobridge try names.ts --kind function --function label --argument '"My Shop!"' \
  --record "$SANDBOX/json-rpc-function.log"

step "a file that cannot be written"
run denobridge try names.ts --kind function --function label --argument '"a"' --record "$SANDBOX/no/file"
