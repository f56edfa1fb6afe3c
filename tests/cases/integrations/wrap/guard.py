"""Denies offsets of more than 30 days, warns of a change, and notes down what it was asked."""

import json
import os
import sys

sys.path.insert(0, os.environ["PROJECT"] + "/clients/python")

from denobridge_integration import Integration, fail, warn  # noqa: E402

integration = Integration("guard", "1.0.0", threads=1)


def noted(hook):
    def ask(event, context):
        facts = [hook, event.get("resource", {}).get("type"), event.get("action")]
        with open("asked.txt", "a") as log:
            log.write(" ".join(fact for fact in facts if fact) + "\n")
        days = (event.get("proposed_state") or {}).get("offset_days")
        if hook == "pre_plan_resource" and days is not None and days > 30:
            return fail(f"{json.dumps(days)} days are too many")
        if hook == "post_plan_resource" and event["action"] == "update":
            return warn("this is a change")

    return integration.hook(hook)(ask)


for name in [
    f"{moment}_{what}_resource" for moment in ("pre", "post") for what in ("refresh", "plan", "apply")
] + [f"{stage}_stage_{end}" for stage in ("plan", "apply") for end in ("start", "complete")]:
    noted(name)

if __name__ == "__main__":
    integration.serve()
