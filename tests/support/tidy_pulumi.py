"""Brings what Pulumi prints to a form that is the same in every run: no link to the stack, no progress, no note that the
plugin is the one on PATH, and what happened side by side in order of its text."""

import re
import sys

LEFT_OUT = re.compile(
    r"^(View (Live|in Browser).*|(Updating|Previewing|Refreshing|Destroying|Importing|Previewing \S+) \(dev\).*|"
    r"@ (updating|previewing|refreshing|destroying|importing).*|"
    r"The resources in the stack have been deleted.*|If you want to remove the stack.*|"
    r"(\S+ )?warning: using pulumi-resource-\S+ from \$PATH.*)$",
    re.IGNORECASE,
)
ROW = re.compile(r"^ (?:.|\+-|-\+|\+\+)?\s+\S+:\S+ .*\S")
# How it ended, and what it was told last.
STATUS = re.compile(r"((?:\(\d[\d.]*m?s\)|\*\*[^*]+\*\*)(?: \[diff: [^\]]*\])?).*")
PROGRESS = re.compile(r"\b(creating|updating|deleting|replacing|refreshing|reading|importing|running)\b(?! failed)")
HEADING = re.compile(r"^  \S+ \(.+\):$")


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
        if not PROGRESS.search(line) and "pulumi:pulumi:Stack" not in line:
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


lines = [line.rstrip() for line in sys.stdin.read().splitlines()]
lines = [line for line in lines if not LEFT_OUT.match(line.strip())]
if "--tree" not in sys.argv:
    start = next((index for index, line in enumerate(lines) if line == "Diagnostics:"), len(lines))
    end = next((index for index in range(start, len(lines)) if lines[index] in ("Outputs:", "Resources:")), len(lines))
    diagnostics = blocks(lines[start + 1 : end])
    heading = ["Diagnostics:"] if diagnostics else []
    lines = rows_first(lines[:start]) + heading + diagnostics + lines[end:]
print("\n".join(line for line in lines if line))
