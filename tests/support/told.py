"""What an integration was told, one line for each hook: its phase, type, action, and what it can see; or why it was ended."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    method, params = message["method"], message["params"]
    facts = [method]
    if method == "shutdown":
        facts.append(params["reason"])
    elif resource := params.get("resource"):
        facts += [params["run"]["phase"], resource["type"], params.get("action")]
        for state in ("config", "prior_state", "proposed_state", "planned_state", "new_state"):
            if state in params:
                facts.append(f"{state}={'null' if params[state] is None else ','.join(sorted(params[state])) or 'nothing'}")
            if hidden := params.get("redacted", {}).get(state):
                facts.append(f"(without {','.join(sorted(hidden))})")
        if params.get("diagnostics"):
            facts.append("; ".join(f"{one['severity']}: {one['summary']}" for one in params["diagnostics"]))
    elif "counts" in params:
        facts.append(params["summary"])
    elif method == "cancel":
        facts = [method]
    print(*(fact for fact in facts if fact))
