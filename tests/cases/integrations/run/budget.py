"""Lets no more happen in a run than LIMIT says, and notes down when it is started, what it is asked and when it ends."""

import json
import os
import sys
import time

sys.path.insert(0, os.environ["PROJECT"] + "/clients/python")

from denobridge_integration import Integration, fail, warn  # noqa: E402

integration = Integration("budget", "1.0.0", threads=1)


def note(*facts):
    with open("asked.txt", "a") as log:
        log.write(" ".join(str(fact) for fact in facts if fact) + "\n")


def noted(hook):
    def ask(event, context):
        run, resource = event["run"], event.get("resource", {})
        known = f"{resource.get('address')} by {resource['address_source']}" if resource else None
        counts = {name: count for name, count in (event.get("counts") or {}).items() if count}
        planned = [f"{change['address']} {change['action']}" for change in event.get("changes") or []]
        note(run["seq"], hook, event.get("action"), resource.get("type"), known, counts, sorted(planned))
        if run["provider"] is None and not resource:
            note("   ", run["operation"], "pass", run["pass"])
        if hook == "pre_plan_resource":
            time.sleep(int(os.environ.get("SLOW", "0")))
        if hook == "plan_stage_complete" and counts.get("create", 0) > int(os.environ.get("LIMIT", "100")):
            return fail(f"{counts['create']} are too many")
        if hook == "plan_stage_complete" and os.environ.get("BROKEN"):
            raise RuntimeError("the price list is gone")
        if hook == "apply_stage_complete" and os.environ.get("GRUMBLE"):
            return warn("it is a pity")

    return integration.hook(hook)(ask)


STAGES = [f"{stage}_stage_{end}" for stage in ("init", "plan", "apply") for end in ("start", "complete")]
for name in STAGES + [f"{moment}_{what}_resource" for moment in ("pre", "post") for what in ("refresh", "plan", "apply")]:
    noted(name)

integration.on_shutdown(lambda reason: note("ended,", reason))

if __name__ == "__main__":
    note("started")
    with open("pid.txt", "w") as file:
        file.write(str(os.getpid()))
    integration.serve()
