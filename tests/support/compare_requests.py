"""Compares what two hosts asked one provider, or lists it.

    compare_requests.py TERRAFORM PULUMI [PROCEDURE…]
    compare_requests.py --list FILE PROCEDURE [PART…]

Hosts repeat requests (Terraform plans once more when it applies, and validates often), ask side by side, and call
themselves differently; so for each procedure and type the different requests are compared, as a set. What differs is
shown part by part."""

import json
import sys
from collections import defaultdict

COMPARED = [
    "ConfigureProvider",
    "ValidateResourceConfig",
    "UpgradeResourceState",
    "PlanResourceChange",
    "ApplyResourceChange",
    "ReadResource",
    "ImportResourceState",
    "ReadDataSource",
    "OpenEphemeralResource",
    "CloseEphemeralResource",
    "CallFunction",
]
# What a host says about itself.
OF_HOST = {"terraform_version", "client_can"}


def read(file: str) -> list[dict]:
    try:
        with open(file, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]
    except FileNotFoundError:
        return []


def text(value) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def grouped(requests: list[dict]) -> dict[tuple[str, str], list[dict]]:
    """The different requests for each procedure and type, in order of their text."""
    found: dict[tuple[str, str], dict[str, dict]] = defaultdict(dict)
    for request in requests:
        kept = {name: part for name, part in request.items() if name not in OF_HOST}
        found[request["procedure"], request.get("type", "")][text(kept)] = kept
    return {key: [one for _, one in sorted(requests.items())] for key, requests in found.items()}


def distance(left, right, path: str) -> list[str]:
    """How two values differ, one line for each place."""
    if left == right:
        return []
    if isinstance(left, dict) and isinstance(right, dict) and "$" not in left and "$" not in right:
        lines = []
        for name in sorted(left.keys() | right.keys()):
            missing = {"$": "not there"}
            lines += distance(left.get(name, missing), right.get(name, missing), f"{path}.{name}" if path else name)
        return lines
    if isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        return [line for i, (a, b) in enumerate(zip(left, right)) for line in distance(a, b, f"{path}[{i}]")]
    return [f"{path}: terraform {text(left)}, pulumi {text(right)}"]


def compare(terraform: list[dict], pulumi: list[dict]) -> list[str]:
    """What one has and the other has not; those that are alike are shown by where they differ."""
    if not terraform or not pulumi:
        return [f"    only {'terraform' if terraform else 'pulumi'} asks"]
    common = [one for one in terraform if one in pulumi]
    only_terraform = [one for one in terraform if one not in common]
    only_pulumi = [one for one in pulumi if one not in common]
    lines = []
    for one in list(only_terraform):
        if not only_pulumi:
            break
        nearest = min(only_pulumi, key=lambda other: len(distance(one, other, "")))
        only_pulumi.remove(nearest)
        only_terraform.remove(one)
        lines += [f"    differs: {line}" for line in distance(one, nearest, "")]
    lines += [f"    only terraform: {brief(one)}" for one in only_terraform]
    lines += [f"    only pulumi: {brief(one)}" for one in only_pulumi]
    return ([f"    {len(common)} the same"] if common else []) + lines


def brief(request: dict) -> str:
    return text({name: part for name, part in request.items() if name not in ("procedure", "type")})


def main() -> None:
    if sys.argv[1] == "--list":
        _, _, file, procedure, *parts = sys.argv
        for request in read(file):
            if request["procedure"] == procedure:
                print(request.get("type", ""), text({name: request.get(name) for name in parts}) if parts else "")
        return
    _, terraform, pulumi, *wanted = sys.argv
    left, right = grouped(read(terraform)), grouped(read(pulumi))
    order = wanted or COMPARED
    for key in sorted(left.keys() | right.keys(), key=lambda key: (order.index(key[0]) if key[0] in order else -1, key)):
        if key[0] in order:
            print(" ".join(key).strip())
            print("\n".join(compare(left.get(key, []), right.get(key, []))))


main()
