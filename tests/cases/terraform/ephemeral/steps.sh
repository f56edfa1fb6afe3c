# A token that is leased for each run: opened, renewed while something goes on, and given back.
export LEASE_TRACE=$PWD/trace
record_traffic damaged
# (The secrets come by the environment: Terraform logs its own command line.)
leased() { export TF_VAR_lease=$1; }
traced() { [ ! -e trace ] || cat trace; rm -f trace; }
said() { "$@" | sed -n '/^\(Warning\|Error\): /,$p' | sed '/^Apply complete/,$d'; }

step "opened and closed for the plan, and again for the apply"
run tf_apply
traced
on_disk user.json

step "only the secret changes: it reaches the one who uses it"
export TF_VAR_secret=canary-number-two
run tf_apply | tail -1
on_disk user.json
traced

step "how closing may end"
for close in null absent warning fails "not done"; do
  echo "-- close: $close"
  leased "{ close = \"$close\" }"
  said tf plan
  traced
done

step "renewed while a slow create runs, and closed with what the last renewal told"
leased "{ renewIn = 1 }"
TF_VAR_slow=2500 said tf_apply
# Of the apply, which is the second opening. How often it was renewed depends on the machine.
traced | awk '/^open/ { opened++ } opened == 2' > applied
head -2 applied
[ "$(tail -1 applied)" = "close lease $(($(grep -c renew applied) + 1))" ] || fail "$(cat applied)"
quiet terraform apply -auto-approve
traced > /dev/null

step "a time in the past is no reason to renew all the time"
leased "{ renewAt = 0 }"
TF_VAR_slow=2500 said tf_apply
[ "$(grep -c renew trace)" -le 4 ] || fail "renewed $(grep -c renew trace) times in about 3 s"
quiet terraform apply -auto-approve
traced > /dev/null

step "milliseconds are told apart from seconds"
leased "{ renewAt = 4102444800000 }"
said tf plan
traced

step "a renewal that failed is told of when it is closed"
leased "{ renewIn = 1, renewFails = true }"
TF_VAR_slow=2500 said tf_apply
traced | awk '/^open/ { opened++ } opened == 2' | head -2

step "no secret is anywhere"
nowhere canary- terraform.tfstate "$SANDBOX/json-rpc-damaged.log"
