#!/usr/bin/env python3
"""A notifier: tells a channel when an apply begins and ends, and what failed in between.

The address of the webhook is a secret: it comes from the environment, as NOTIFY_WEBHOOK. The messages are of the shape that
Slack and what is compatible with it take.

    settings = { seconds = 1.5 }   # for all tries of one message; less than the integration's timeout
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

# Here the library is in this repository; in your project it is installed, or copied beside this file.
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients" / "python"))

from denobridge_integration import Integration, passed, warn  # noqa: E402

#: How long to wait before each further try, in seconds; the last is for all that follow.
PAUSES = (0.1, 0.4)

integration = Integration("notifier", "1.0.0")


@integration.hook("apply_stage_start")
def begin(event, context):
    return post(context, f"{place(event)}: apply begins")


@integration.hook("apply_stage_complete")
def complete(event, context):
    failed = (event.get("counts") or {}).get("failed", 0)
    outcome = f"apply ended with {failed} failed" if failed else "apply is complete"
    return post(context, f"{place(event)}: {outcome} ({event.get('summary') or 'nothing to do'})")


@integration.hook("post_apply_resource")
def applied(event, context):
    errors = [one for one in event["diagnostics"] if one["severity"] == "error"]
    if not errors:
        return passed()
    resource = event["resource"]
    name = resource.get("address") or resource.get("urn") or f"{resource['type']} {resource.get('id') or ''}".strip()
    lines = [f"{place(event)}: {event.get('action') or 'change'} of {name} failed"]
    return post(context, "\n".join(lines + [f"• {one['summary']}" for one in errors]))


def place(event):
    run = event["run"]
    parts = [part for part in (run.get("project"), run.get("workspace")) if part]
    return f"{'/'.join(parts) or 'a run'} ({run['host']})"


def post(context, text):
    address = os.environ.get("NOTIFY_WEBHOOK")
    if not address:
        return warn("nobody is notified: NOTIFY_WEBHOOK is not set")
    block = {"type": "section", "text": {"type": "mrkdwn", "text": escaped(text)}}
    body = json.dumps({"text": escaped(text), "blocks": [block]}).encode()
    reason = deliver(address, body, time.monotonic() + float(context.settings.get("seconds", 1.5)))
    if reason is None:
        return passed({"notified": True})
    # Not the whole address: who has it can write to the channel.
    return warn(f"nobody was notified: {urlsplit(address).hostname}: {reason}")


def escaped(text):
    """What has a meaning in Slack's texts stands for itself."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def deliver(address, body, until):
    """Tries until it is taken, refused or too late; returns why it was not taken."""
    reason, tries = "no time", 0
    while (left := until - time.monotonic()) > 0.01:
        request = urllib.request.Request(address, body, {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=left):
                return None
        except urllib.error.HTTPError as error:
            reason = f"it answered {error.code}"
            # Trying again does not help against being wrong.
            if error.code < 500 and error.code != 429:
                return reason
        except (OSError, ValueError) as error:
            reason = str(getattr(error, "reason", error)) or type(error).__name__
        pause = PAUSES[min(tries, len(PAUSES) - 1)]
        tries += 1
        time.sleep(max(0.0, min(pause, until - time.monotonic())))
    return f"{reason} (after {tries} {'try' if tries == 1 else 'tries'})"


if __name__ == "__main__":
    integration.serve()
