#!/usr/bin/env python3
import os
import sys

sys.path.insert(0, os.environ["PROJECT"] + "/clients/python")

from denobridge_integration import Integration, warn

integration = Integration("here")
open("started", "a").close()


@integration.hook("pre_plan_resource")
def pre_plan(event, context):
    return warn("it is here")


if __name__ == "__main__":
    integration.serve()
