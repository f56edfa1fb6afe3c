"""Takes the warning about development overrides, which every case has, out of what Terraform prints."""

import re
import sys

text = sys.stdin.read()
box = re.compile(
    r"╷\n│ Warning: Provider development overrides are in effect\n(?:│.*\n)*╵\n+"
)
sys.stdout.write(box.sub("", text))
