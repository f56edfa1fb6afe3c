"""What a schema says of a property, as Python has it. Each line with an ignored rule has to break that rule."""

import pulumi
import pulumi_values as values

right = values.Setting(
    "right",
    level="low",
    source=["a", "b"],
    colour="green",
    token="secret",
    ratio=0.5,
    members=[values.SettingMembersArgs(name="first", mode="read-write")],
)
constants = values.Setting("constants", level=values.SettingLevel.HIGH, source="a")
dictionary = values.Setting("dictionary", level="low", members=[{"name": "first", "mode": "read"}])

missing = values.Setting("missing")  # pyright: ignore[reportCallIssue]
source = values.Setting("source", level="low", source=1)  # pyright: ignore[reportCallIssue, reportArgumentType]
member = values.SettingMembersArgs()  # pyright: ignore[reportCallIssue]
computed = values.Setting("computed", level="low", size=1)  # pyright: ignore[reportCallIssue]
password = right.password  # pyright: ignore[reportAttributeAccessIssue]

size: pulumi.Output[float] = right.size
