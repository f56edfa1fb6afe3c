#!/usr/bin/env python3
import os
import sys

sys.path.insert(0, os.environ["SANDBOX"] + "/clients/python")

from denobridge_integration import Integration, fail, passed, warn

integration = Integration("odd", filter={"types": ["example_server"]})


@integration.hook("plan_stage_start", "plan_stage_complete")
def stage(event, context):
    return passed({"settings": context.settings})


@integration.hook("pre_plan_resource")
def pre_plan(event, context):
    print("in the log")
    context.log("warn", "in the log too")
    return warn("two\nin one", "\033[31mred\033[0m", metadata={"name": event["proposed_state"]["name"]})


@integration.hook("post_apply_resource")
def post_apply(event, context):
    return fail("not so", halt=True)


if __name__ == "__main__":
    integration.serve()
