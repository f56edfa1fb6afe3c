"""An integration that says and keeps all that it is told."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    with open("heard.jsonl", "a") as heard:
        heard.write(line)
    if method == "initialize":
        result = {"name": "parrot", "version": "1", "subscribed_hooks": message["params"]["available_hooks"]}
    elif method == "shutdown":
        result = None
    else:
        result = {"status": "warn", "message": line, "metadata": {"heard": message["params"]}}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
