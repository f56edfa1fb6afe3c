#!/usr/bin/env python3
import os
import sys

sys.path.insert(0, os.environ["SANDBOX"] + "/clients/python")

from denobridge_integration import Integration, passed

integration = Integration("environment")


@integration.hook("plan_stage_start")
def start(event, context):
    variables = sorted(os.environ.items())
    return passed({name.lower(): value for name, value in variables if value in ("here", "its own")})


if __name__ == "__main__":
    integration.serve()
