"""Brings what Terraform prints to a form that is the same in every run: without the warnings about development overrides,
which every case has, and about generated configuration, and with lines about resources that run side by side in order of
their text."""

import re
import sys

OVERRIDES = re.compile(
    r"\nWarning: Provider development overrides are in effect\n(?:.+\n|\n(?!\n)(?=.*overrides|.*behavior|The following| - ))*"
)
# Terraform 1.11 forgets to show it in one run of six or so.
GENERATION = re.compile(
    r"\nWarning: Config generation is experimental\n\nGenerating configuration during import is currently experimental, and the\n"
    r"generated configuration format may change in future versions\.\n"
)
SIDE_BY_SIDE = re.compile(
    r"^\S+\[\d+\]: (Refreshing|Creating|Creation|Modifying|Modifications|Destroying|Destruction|Still)"
)

text = GENERATION.sub("", OVERRIDES.sub("", sys.stdin.read()))
kept: list[str] = []
together: list[str] = []
for line in text.splitlines():
    if SIDE_BY_SIDE.match(line):
        together.append(line)
        continue
    kept.extend(sorted(together))
    together.clear()
    kept.append(line)
kept.extend(sorted(together))
print("\n".join(kept).strip("\n"))
