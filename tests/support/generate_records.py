"""Writes a program with as many records as it is told."""

import sys

print("name: records\nruntime: yaml\nresources:")
for number in range(int(sys.argv[1])):
    print(f"""  record-{number}:
    type: denobridge:Script
    properties:
      path: ../scripts/record.ts
      props: {{ file: records/{number}.json, value: {number} }}
      permissions: {{ allow: [read, write, env=RECORD_TRACE] }}""")
