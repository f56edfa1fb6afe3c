"""Brings what Pulumi prints to a form that is the same in every run: no link to the stack, no progress, no note that the
plugin is the one on PATH, and what happened side by side in order of its text.

With --tree it is a preview that is read; with --refresh a refresh, whose outputs are left out: it runs no program, so they
are the old ones, and whether Pulumi shows them is a matter of timing."""

import re
import sys

LEFT_OUT = re.compile(
    r"^(View (Live|in Browser).*|(Updating|Previewing|Refreshing|Destroying|Importing|Previewing \S+) \(dev\).*|"
    r"@ (updating|previewing|refreshing|destroying|importing).*|"
    r"The resources in the stack have been deleted.*|If you want to remove the stack.*|"
    r"(\S+ )?warning: using pulumi-resource-\S+ from \$PATH.*)$",
    re.IGNORECASE,
)
ROW = re.compile(r"^ (?:.|\+-|-\+|\+\+|--)?\s+\S+:\S+\s+\S+(?P<status>.*)")
# How it ended, and what it was told last.
STATUS = re.compile(r"((?:\(\d[\d.]*m?s\)|\*\*[^*]+\*\*)(?: \[diff: [^\]]*\])?).*")
PROGRESS = re.compile(r"\b(creating|updating|deleting|replacing|refreshing|reading|importing|running)\b(?! failed)")
HEADING = re.compile(r"^  \S+ \(.+\):$")
# A resource of the stack in what a preview shows, and what belongs to it.
STEP = re.compile(r"^(?: {4})+\S.* ?\S+:\S+:\S+: \(\S+\)")
OF_STEP = re.compile(r"^ {5}|^ {4}[\]}]")


def rows_first(lines: list[str]) -> list[str]:
    """The table of resources: only how each ended, in order."""
    ended: list[str] = []
    others: list[str] = []
    for line in lines:
        if not ROW.match(line):
            others.append(line)
            continue
        # What was said last of a resource is a matter of timing; all of it is among the diagnostics.
        line = re.sub(r"(\*\*|\]|\)|\S;?) (error|warning|info): .*|[ ;]+\d+ (error|warning|message)s?\b.*", r"\1", line)
        line = STATUS.sub(r"\1", line)
        # A resource may be called like what is done to it.
        status = ROW.sub(r"\g<status>", line)
        if not PROGRESS.search(status) and "pulumi:pulumi:Stack" not in line:
            ended.append(re.sub(r" {2,}", "  ", line))
    return sorted(set(ended)) + others


def blocks(lines: list[str]) -> list[str]:
    """The diagnostics: one block for each resource, in order, without those that have nothing left to say."""
    found: list[list[str]] = []
    for line in lines:
        if HEADING.match(line):
            found.append([line])
        elif found and line:
            found[-1].append(line)
    # Warnings come by a way of their own, so they may come before or after an error.
    ordered = [block[:1] + sorted(block[1:], key=lambda line: not line.strip().startswith("warning:")) for block in found]
    return [line for block in sorted(ordered) if len(block) > 1 for line in block]


def steps_in_order(lines: list[str]) -> list[str]:
    """The tree of a preview: resources that do not depend on each other come in any order, so here by name."""
    ordered: list[str] = []
    steps: list[list[str]] = []
    urn = lambda step: next((line for line in step if line.strip().startswith("[urn=")), step[0])
    name = lambda step: urn(step).rsplit("::", 1)[-1]
    for line in [*lines, ""]:
        if STEP.match(line):
            steps.append([line])
        elif steps and OF_STEP.match(line):
            steps[-1].append(line)
        else:
            ordered += [line for step in sorted(steps, key=name) for line in step] + [line]
            steps = []
    return ordered


lines = [line.rstrip() for line in sys.stdin.read().splitlines()]
lines = [line for line in lines if not LEFT_OUT.match(line.strip())]
if "--tree" in sys.argv:
    lines = steps_in_order(lines)
else:
    start = next((index for index, line in enumerate(lines) if line == "Diagnostics:"), len(lines))
    end = next((index for index in range(start, len(lines)) if lines[index] in ("Outputs:", "Resources:")), len(lines))
    diagnostics = blocks(lines[start + 1 : end])
    heading = ["Diagnostics:"] if diagnostics else []
    if "--refresh" in sys.argv:
        end = next((index for index in range(end, len(lines)) if lines[index] == "Resources:"), end)
    lines = rows_first(lines[:start]) + heading + diagnostics + lines[end:]
print("\n".join(line for line in lines if line))
