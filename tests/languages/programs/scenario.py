"""What every program here does: operations on one stack, with programs that differ, each printed as it is seen from outside.
scenario.ts prints the same."""

import json
import os
import re
from typing import Any, Callable, Optional

from pulumi import automation

Program = Callable[[], Any]


class Scenario:
    def __init__(self, name: str) -> None:
        options = automation.LocalWorkspaceOptions(work_dir=os.getcwd())
        self.stack = automation.create_or_select_stack("dev", name, lambda: None, opts=options)

    def up(self, heading: str, program: Program) -> None:
        """`pulumi up`: what was done, and the outputs."""
        events = self._next(heading, program)
        outputs = self.stack.up(on_event=events.seen).outputs
        events.print()
        for name in sorted(outputs):
            value = json.dumps(outputs[name].value, separators=(",", ":"))
            print(f"output {name} = {value}{' (secret)' if outputs[name].secret else ''}")

    def preview(self, heading: str, program: Program) -> None:
        """`pulumi preview`: what would be done."""
        events = self._next(heading, program)
        self.stack.preview(on_event=events.seen)
        events.print()

    def refused(self, heading: str, program: Program, words: str) -> None:
        """`pulumi up` that has to fail: what was done nevertheless, and a part of what is said."""
        events = self._next(heading, program)
        said = "it succeeded"
        try:
            self.stack.up(on_event=events.seen)
        except automation.CommandError as error:
            said = str(error)
        events.print()
        found = re.search(words, said)
        print(f"refused: {found[0] if found else said}")

    def destroy(self, heading: str) -> None:
        """`pulumi destroy`."""
        events = self._next(heading)
        self.stack.destroy(on_event=events.seen)
        events.print()

    def _next(self, heading: str, program: Optional[Program] = None) -> "Events":
        print(f"\n== {heading}", flush=True)
        if program:
            self.stack.workspace.program = program
        return Events()


class Events:
    """What happens to resources, but for the stack, providers that nobody has asked for, and what stays the same."""

    def __init__(self) -> None:
        self._lines: set[str] = set()

    def seen(self, event: automation.EngineEvent) -> None:
        before = event.resource_pre_event if event.resource_pre_event and event.resource_pre_event.planning else None
        step = event.res_outputs_event or event.res_op_failed_event or before
        if not step:
            return
        op, name = step.metadata.op.value, step.metadata.urn.split("::")[-1]
        if op == "same" or step.metadata.type == "pulumi:pulumi:Stack" or re.match(r"default(_\d|$)", name):
            return
        self._lines.add(f"{'failed to ' if event.res_op_failed_event else ''}{op} {step.metadata.type} {name}")

    def print(self) -> None:
        print("\n".join(sorted(self._lines)) or "nothing")


def on_disk(*files: str) -> None:
    """What is on disk."""
    for file in files:
        content = "absent"
        if os.path.exists(file):
            with open(file, encoding="utf-8") as opened:
                content = opened.read().strip()
        print(f"{file}: {content}", flush=True)


def lines_on_disk(file: str) -> None:
    """The lines of a file in order, each once: how often something was done is not the program's affair."""
    with open(file, encoding="utf-8") as opened:
        print("\n".join(sorted(set(opened.read().strip().split("\n")))), flush=True)
