"""An integration that lets nothing pass which is called `forbidden`, and says which file named it."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if method == "initialize":
        result = {"name": "policy", "version": "1", "subscribed_hooks": ["pre_plan_resource"]}
    elif method == "shutdown":
        open("ended", "a").write(message["params"]["reason"] + "\n")
        result = None
    else:
        value = message["params"]["proposed_state"]["props"]["value"]
        status = "fail" if value == "forbidden" else "warn"
        result = {"status": status, "message": f"{value} was seen"}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
