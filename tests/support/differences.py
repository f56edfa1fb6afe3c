"""Where two JSON files differ, one line each: the place, what the first file has, what the second has. Secrets of a stack
export are looked into."""

import json
import sys

ABSENT = "(absent)"


def opened(value):
    """The value with secrets in the form {"secret": VALUE}."""
    if isinstance(value, dict):
        if isinstance(value.get("plaintext"), str):
            return {"secret": opened(json.loads(value["plaintext"]))}
        return {key: opened(part) for key, part in value.items()}
    return [opened(part) for part in value] if isinstance(value, list) else value


def compare(place: str, first, second) -> None:
    if isinstance(first, dict) and isinstance(second, dict):
        for key in sorted(first.keys() | second.keys()):
            compare(f"{place}.{key}", first.get(key, ABSENT), second.get(key, ABSENT))
    elif isinstance(first, list) and isinstance(second, list) and len(first) == len(second):
        for index, (one, other) in enumerate(zip(first, second)):
            compare(f"{place}[{index}]", one, other)
    elif first != second:
        print(f"{place.lstrip('.')}: {json.dumps(first, sort_keys=True)}, here {json.dumps(second, sort_keys=True)}")


compare("", *(opened(json.load(open(name, encoding="utf-8"))) for name in sys.argv[1:]))
