"""Warns of everything that is planned, and denies what is called <b>bold</b>."""

import json
import sys

for line in sys.stdin:
    call = json.loads(line)
    method, params = call["method"], call.get("params", {})
    if method == "initialize":
        result = {"name": "careful", "version": "1", "subscribed_hooks": ["pre-plan", "post-plan"]}
    elif method == "pre_plan_resource" and "bold" in json.dumps(params["proposed_state"]):
        result = {"status": "fail", "message": "no <b>bold</b> & \"loud\" things", "metadata": {"rule": "quiet"}}
    else:
        result = {"status": "warn", "message": "are you sure?"}
    print(json.dumps({"jsonrpc": "2.0", "id": call["id"], "result": result}), flush=True)
    if method == "shutdown":
        break
