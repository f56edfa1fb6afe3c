"""An integration for cases: notes down every line that it is told, as it is, in the file `told.jsonl` of its folder.

Its settings:

- `file`: another name for the file
- `warn`: hooks at which it warns
- `deny`: for hooks, by their methods, a text; it fails where that is in what it is told
- `silent`: hooks that it does not answer; the file `begun` says that it was asked
"""

import json
import sys
from pathlib import Path

settings = {}


def answer(method, params, text):
    if method == "initialize":
        return {"name": "recorder", "version": "1", "subscribed_hooks": params["available_hooks"]}
    if method == "shutdown":
        return None
    denied = settings.get("deny", {}).get(method)
    if denied is not None and denied in text:
        return {"status": "fail", "message": f"{denied} is not allowed"}
    return {"status": "warn", "message": "seen"} if method in settings.get("warn", []) else {"status": "pass"}


for line in sys.stdin:
    message = json.loads(line)
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        settings.update(params["settings"])
    with open(settings.get("file", "told.jsonl"), "a") as told:
        told.write(line)
    if method in settings.get("silent", []):
        Path("begun").touch()
    elif "id" in message:
        result = answer(method, params, json.dumps(params))
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
