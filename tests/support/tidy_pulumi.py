"""Brings what Pulumi prints to a form that is the same in every run: no link to the stack, no empty progress lines, and
the lines of one table in order of their text where resources run side by side."""

import re
import sys

LEFT_OUT = re.compile(
    r"^(View (Live|in Browser).*|Updating \(dev\).*|Previewing .*|Refreshing \(dev\).*|Destroying \(dev\).*|"
    r"@ (updating|previewing|refreshing|destroying|Updating|Previewing|Refreshing|Destroying)[ .]*|"
    r"The resources in the stack have been deleted.*|If you want to remove the stack.*)$"
)
ROW = re.compile(r"^ ?(\+|-|~|\+-|-\+|\+\+|--|=|>|<|\?| ) +\S+ .*(creat|updat|delet|replac|refresh|fail|read|import)")

lines = [line.rstrip() for line in sys.stdin.read().splitlines()]
kept: list[str] = []
rows: list[str] = []
for line in lines:
    if LEFT_OUT.match(line.strip()) or re.match(r"^ +\S+:\S+ \S+ +running", line):
        continue
    if ROW.match(line):
        rows.append(re.sub(r" {2,}", "  ", line))
        continue
    kept.extend(sorted(rows))
    rows.clear()
    if line or (kept and kept[-1]):
        kept.append(line)
kept.extend(sorted(rows))
print("\n".join(kept).strip("\n"))
