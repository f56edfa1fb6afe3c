# Looking things up: what a script gets, what becomes of its answer, and when it is asked.
record_traffic damaged
attributes() {
  python3 -c '
import json, sys
state = json.load(open("terraform.tfstate"))
found = [r["instances"][0]["attributes"] for r in state["resources"] if r["name"] == sys.argv[1]][0]
for name in sys.argv[2:]:
    part = found[name]
    shown = "null" if part is None else json.dumps(part["value"]) + "\n    of type " + json.dumps(part["type"])
    print(name, "=", shown)' "$@"
}
answered() {
  step "answered: $1"
  tf apply -auto-approve -var "answer=$1" > said
  grep -A14 -E '^(Warning|Error)' said | sed '/^Apply complete/,$d'
  grep -q '^Error' said || attributes answered result sensitive_result
}

step "what is not known yet is looked up at apply"
run tf_apply -var late=first | sed 's/\[id=[-0-9a-f]*\]/[id=…]/'

step "what the script got"
attributes sent result | head -1

step "nothing changes, whatever the literals"
run tf plan -detailed-exitcode -var late=first

answered '{"result":{"n":1,"f":1.5,"t":"s","b":true,"z":null,"list":["a","b"],"empty":[],"objects":[{"x":1},{"x":2}]}}'
answered '{"result":{"mixed":[1,"a",null,{"x":1}],"differ":[{"x":1},{"x":"a"}]}}'
answered '{"result":["a","b"]}'
answered 'null'
answered '{"result":{"a":1},"sensitiveResult":{"token":"t"}}'
answered '{"result":1,"diagnostics":[{"severity":"warning","summary":"old data","detail":"from a cache","propPath":["props","answer"]}]}'
answered '{"a":1,"sensitive":{"token":"t"},"diagnostics":[{"severity":"warning","summary":"old data","detail":"from a cache"}]}'
answered '{"diagnostics":[{"severity":"error","summary":"bad query","detail":"no such key","propPath":["props","answer"]}]}'
answered '["x"]'
answered 'no JSON'
