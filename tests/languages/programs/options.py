"""What a program may say about a resource beside its properties."""

import json
from typing import Any, Optional

import pulumi
import pulumi_denobridge as denobridge
from scenario import Scenario, on_disk

ALLOWED = ["read", "write", "env"]
PERMISSIONS = denobridge.ScriptPermissionsArgs(allow=ALLOWED)


def record(name: str, value: str, options: Optional[pulumi.ResourceOptions] = None) -> denobridge.Script:
    props = {"file": f"{name}.json", "value": value}
    return denobridge.Script(name, path="record.ts", permissions=PERMISSIONS, props=props, opts=options)


def marked(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult:
    """Adds a prop to every script."""
    given: Any = args.props["props"]
    return pulumi.ResourceTransformResult(props={**args.props, "props": {**given, "marked": True}}, opts=args.opts)


def everything(value: str):
    def program() -> None:
        record("ignoring", value, pulumi.ResourceOptions(ignore_changes=["props.value"]))
        replace = pulumi.ResourceOptions(replace_on_changes=["props.value"], delete_before_replace=True)
        replacing = record("replacing", value, replace)
        timeouts = pulumi.CustomTimeouts(create="10m")
        record("waiting", "fixed", pulumi.ResourceOptions(depends_on=[replacing], custom_timeouts=timeouts))
        record("transformed", "fixed", pulumi.ResourceOptions(transforms=[marked]))
        patient = denobridge.Provider("patient", limits=denobridge.ProviderLimitsArgs(call_timeout=3600))
        record("explicit", "fixed", pulumi.ResourceOptions(provider=patient))
        record("elder", "fixed", pulumi.ResourceOptions(version="7.7.7"))

    return program


def kept(protect: bool):
    return lambda: record("kept", "fixed", pulumi.ResourceOptions(protect=protect))


def named(name: str, aliases: list[str]):
    def program() -> None:
        denobridge.Script(
            name,
            path="record.ts",
            permissions=PERMISSIONS,
            props={"file": "named.json", "value": "fixed"},
            opts=pulumi.ResourceOptions(aliases=[pulumi.Alias(name=alias) for alias in aliases]),
        )

    return program


KNOWN = json.dumps({"id": "known.json", "path": "record.ts", "permissions": {"allow": ALLOWED}})


def imported() -> None:
    record("known", "by hand", pulumi.ResourceOptions(import_=KNOWN))


def read() -> None:
    pulumi.export("value", denobridge.Script.get("read", KNOWN).props.apply(lambda props: props and props["value"]))


def late() -> None:
    options = pulumi.ResourceOptions(custom_timeouts=pulumi.CustomTimeouts(create="2s"))
    denobridge.Script("late", path="slow.ts", permissions=PERMISSIONS, props={"ms": 60000}, opts=options)


def nothing() -> None:
    pass


def write_known() -> None:
    with open("known.json", "w", encoding="utf-8") as file:
        file.write('{"file":"known.json","value":"by hand"}\n')


scenario = Scenario("options")
scenario.up("create", everything("one"))
on_disk("transformed.json")
deployment: Any = scenario.stack.export_stack().deployment
resources = deployment["resources"]
versions = sorted(one["inputs"]["version"] for one in resources if one["type"] == "pulumi:providers:denobridge")
print(f"providers: {len(versions)}, one of version {versions[-1]}")
scenario.up("ignoreChanges, replaceOnChanges, deleteBeforeReplace", everything("two"))
on_disk("ignoring.json", "replacing.json")
scenario.up("a protected one is made", kept(True))
scenario.refused("and cannot be deleted", nothing, r"it is protected|is protected")
scenario.up("until it is protected no longer", kept(False))
scenario.up("before an alias", named("before", []))
scenario.up("a new name with an alias replaces nothing", named("after", ["before"]))
write_known()
scenario.up("import", imported)
scenario.up("what was imported is deleted as what was made", nothing)
on_disk("known.json")
write_known()
scenario.up("get", read)
scenario.up("what was only read stays", nothing)
on_disk("known.json")
scenario.refused("customTimeouts", late, r"customTimeouts[^\n]*")
scenario.destroy("destroy")
