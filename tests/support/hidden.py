"""What integrations were told is hidden from them, of the messages on standard input: type and path, each once."""

import json
import sys

found = set()
for line in sys.stdin:
    message = json.loads(line)
    for paths in message["params"].get("redacted", {}).values():
        found.update((message["params"]["resource"]["type"], path) for path in paths)
# The ephemeral resource has the same path, and all that it says is secret from then on: hidden where it was opened before.
found -= {("denobridge_datasource", "path"), ("denobridge_resource", "path")}
for type_name, path in sorted(found):
    print(type_name, path)
