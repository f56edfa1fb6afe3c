#!/usr/bin/env python3
"""An audit log: who did what to which object, as JSON Lines of which each has the hash of the one before it.

    settings = { file = "audit.jsonl" }   # relative to the folder of the configuration file

There are no values in it, only the paths of what has changed. Whoever changes, removes or puts in a line breaks the chain:

    python3 audit.py verify audit.jsonl
"""

import getpass
import hashlib
import json
import os
import sys
from datetime import datetime, timezone
from pathlib import Path

# Here the library is in this repository; in your project it is installed, or copied beside this file.
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients" / "python"))

from denobridge_integration import Integration, passed, warn  # noqa: E402

#: The hash before the first line.
BEGINNING = "0" * 64

# One line after the other: the chain has no branches.
integration = Integration("audit", "1.0.0", threads=1)


@integration.hook("plan_stage_start", "plan_stage_complete", "apply_stage_start", "apply_stage_complete")
def stage(event, context):
    return append(context, {"run": about_run(event["run"]), "operation": event["operation"], **stage_facts(event)})


@integration.hook("pre_apply_resource", "post_apply_resource", "pre_invoke_action", "post_invoke_action")
def instance(event, context):
    return append(context, {"run": about_run(event["run"]), **instance_facts(event)})


def about_run(run):
    return {key: run.get(key) for key in ("id", "seq", "host", "workspace", "project", "stage", "pass")}


def stage_facts(event):
    return {key: event[key] for key in ("counts", "duration_ms", "summary") if key in event}


def instance_facts(event):
    resource = event["resource"]
    after = event.get("new_state") if "new_state" in event else event.get("planned_state")
    facts = {
        "action": event.get("action"),
        "type": resource["type"],
        "object": resource.get("urn") or resource.get("address"),
        "id": resource.get("id"),
        "changed": changed(event.get("prior_state"), after),
        "unknown": event.get("unknown", {}).get("planned_state", []),
        "redacted": event.get("redacted", {}).get("planned_state", []),
    }
    if "diagnostics" in event:
        facts["failed"] = any(one["severity"] == "error" for one in event["diagnostics"])
        facts["duration_ms"] = event["duration_ms"]
    return facts


def changed(before, after, path=""):
    """The paths at which two values differ."""
    if before == after:
        return []
    if isinstance(before, dict) or isinstance(after, dict):
        before = before if isinstance(before, dict) else {}
        after = after if isinstance(after, dict) else {}
        names = sorted(before.keys() | after.keys())
        parts = ((f"{path}.{name}" if path else name, before.get(name), after.get(name)) for name in names)
    elif isinstance(before, list) and isinstance(after, list):
        length = max(len(before), len(after))
        at = lambda values, index: values[index] if index < len(values) else None  # noqa: E731
        parts = ((f"{path}[{index}]", at(before, index), at(after, index)) for index in range(length))
    else:
        return [path] if path else []
    return [found for name, one, other in parts for found in changed(one, other, name)]


def append(context, facts):
    path = Path(context.settings.get("file", "audit.jsonl"))
    facts = {"time": datetime.now(timezone.utc).isoformat(timespec="milliseconds"), "user": user(), **facts}
    try:
        add(path, facts)
    except OSError as error:
        return warn(f"nothing is audited: {path}: {error.strerror}")
    return passed()


def user():
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return None


def add(path, facts):
    """Adds a line. It is on the disk when this returns, whatever happens to us then."""
    # Provider processes of one run share the file.
    with open(path, "a+b") as file, locked(file):
        last, is_whole = last_line(file)
        if not is_whole:
            # Somebody was interrupted within a line. What is there of it stays, as what it is.
            file.write(b"\n")
        facts = {**facts, "previous": hash_of(last)}
        file.write(json.dumps(facts, separators=(",", ":"), ensure_ascii=False).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def hash_of(line):
    return hashlib.sha256(line).hexdigest() if line is not None else BEGINNING


def last_line(file):
    """The last line without its end, if there is one, and whether it has an end."""
    size = file.seek(0, os.SEEK_END)
    if size == 0:
        return None, True
    step, text = 4096, b""
    while True:
        begin = max(0, size - len(text) - step)
        file.seek(begin)
        text = file.read(size - begin)
        line = text[:-1] if text.endswith(b"\n") else text
        if begin == 0 or b"\n" in line:
            return line.rpartition(b"\n")[2], text.endswith(b"\n")


if os.name == "nt":
    import msvcrt

    class locked:
        """Keeps others from the file, by its first byte far behind its end."""

        def __init__(self, file):
            self.file = file

        def _at(self, mode):
            self.file.seek(1 << 40)
            msvcrt.locking(self.file.fileno(), mode, 1)

        def __enter__(self):
            self._at(msvcrt.LK_LOCK)

        def __exit__(self, *_):
            self._at(msvcrt.LK_UNLCK)

else:
    import fcntl

    class locked:
        """Keeps others from the file."""

        def __init__(self, file):
            self.file = file

        def __enter__(self):
            fcntl.flock(self.file, fcntl.LOCK_EX)

        def __exit__(self, *_):
            fcntl.flock(self.file, fcntl.LOCK_UN)


def verify(path):
    """What is wrong with a log: lines with their numbers."""
    expected, wrong = BEGINNING, []
    for number, line in enumerate(Path(path).read_bytes().splitlines(), 1):
        try:
            previous = json.loads(line)["previous"]
        except (ValueError, KeyError, TypeError):
            wrong.append(f"line {number} is damaged")
        else:
            if previous != expected:
                wrong.append(f"line {number} does not follow the one before it")
        expected = hash_of(line)
    return wrong


def main(arguments):
    if arguments[:1] != ["verify"]:
        integration.serve()
    if len(arguments) != 2:
        sys.exit("usage: audit.py verify FILE")
    wrong = verify(arguments[1])
    if wrong:
        sys.exit("\n".join(wrong))
    print("the chain is whole")


if __name__ == "__main__":
    main(sys.argv[1:])
