"""The life of three objects: one that another is made of, and one with secrets."""

import pulumi
import pulumi_denobridge as denobridge
from scenario import Scenario, on_disk

PERMISSIONS = denobridge.ScriptPermissionsArgs(allow=["read", "write", "env"])


def records(value: str):
    def program() -> None:
        first = denobridge.Script(
            "first", path="record.ts", permissions=PERMISSIONS, props={"file": "first.json", "value": value}
        )
        text = pulumi.Output.concat(first.id, " has ", first.state.apply(lambda state: str(int(state["length"]))))
        second = denobridge.Script(
            "second", path="record.ts", permissions=PERMISSIONS, props={"file": "second.json", "value": text}
        )
        hidden = denobridge.Script(
            "hidden",
            path="record.ts",
            permissions=PERMISSIONS,
            props={"file": "hidden.json", "secret": pulumi.Output.secret("whisper")},
            write_only_props={"password": "never kept"},
        )
        pulumi.export("length", second.state.apply(lambda state: state["length"]))
        pulumi.export("token", hidden.sensitive_state.apply(lambda state: state["token"]))
        pulumi.export("version", hidden.write_only_props_version)

    return program


scenario = Scenario("records")
scenario.preview("a preview makes nothing", records("one"))
on_disk("first.json", "second.json", "hidden.json")
scenario.up("create", records("one"))
on_disk("first.json", "second.json", "hidden.json")
scenario.preview("the same program again", records("one"))
scenario.preview("a change reaches what is made of it", records("three"))
scenario.up("update", records("three"))
on_disk("first.json", "second.json", "hidden.json")
scenario.destroy("destroy")
on_disk("first.json", "second.json", "hidden.json")
