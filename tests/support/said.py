"""Lines of a report of integrations, as a person would tell them: who objected to what, and what became of it."""

import json
import sys

for line in sorted(map(json.loads, sys.stdin), key=lambda line: line["time"]):
    if line["kind"] != "answer" or (line["status"] == "pass" and not line.get("metadata")):
        continue
    said = "; ".join(line["messages"])
    metadata = f" {json.dumps(line['metadata'], sort_keys=True)}" if line.get("metadata") else ""
    print(f"{line['integration']} at {line['hook']} of {line['subject']}: {line['effect']}: {said}{metadata}")
