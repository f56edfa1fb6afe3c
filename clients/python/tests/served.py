"""An integration that does what its events ask for, as a program."""

import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from denobridge_integration import Integration, fail, passed, warn  # noqa: E402

integration = Integration("test", "1.2.3", filter={"types": ["a"], "actions": ["create"]})


@integration.on_initialize
def begin(context):
    if context.settings.get("refuse"):
        raise RuntimeError("not with these settings")
    context.log("info", f"settings: {context.settings}")


@integration.hook("pre_plan_resource")
def pre_plan(event, context):
    what = (event["proposed_state"] or {}).get("what")
    if what == "deny":
        return fail("not allowed", halt=True)
    if what == "warn":
        return warn("one", "two", metadata={"count": 2})
    if what == "pass":
        return passed({"seen": True})
    if what == "raise":
        raise KeyError("no such rule")
    if what == "leave":
        sys.exit("over")
    if what == "print":
        print("printed at a hook")
        context.log("debug", "logged at a hook")
    if what == "wait":
        context.cancelled.wait()
        return warn("given up")
    if what == "size":
        return warn(f"{len(event['proposed_state']['text'])} characters")
    if what == "flood":
        return warn("x" * (9 << 20))
    if what == "odd":
        return warn("\ud800 and \u2028 é")
    if what == "not json":
        return warn(metadata={"set": {1}})
    return None


@integration.hook("plan_stage_complete", "apply_stage_complete")
def complete(event, context):
    return warn(f"{event['counts']['create']} created")


@integration.on_shutdown
def end(reason):
    print(f"shut down: {reason}; {threading.active_count() > 0}")


if __name__ == "__main__":
    integration.serve()
