"""What a schema says of a property, as Python has it. Each line with an ignored rule has to break that rule, and the message
has to name what stands behind it."""

import pulumi
import pulumi_values as values

right = values.Setting(
    "right",
    level=values.SettingLevel.LOW,
    source=["a", "b"],
    place={"city": "Utrecht"},
    colour="green",
    token="secret",
    ratio=0.5,
    members=[values.SettingMembersArgs(name="first", mode=values.SettingMembersMode.READ_WRITE)],
)
constants = values.Setting("constants", level=values.SettingLevel.CLASS_, source="a")
dictionary = values.Setting("dictionary", members=[{"name": "first", "mode": values.SettingMembersMode.READ}])

missing = values.SettingArgs()  # pyright: ignore[reportCallIssue] level
level = values.SettingArgs(level="medium")  # pyright: ignore[reportArgumentType] level
place = values.SettingArgs(level=values.SettingLevel.LOW, place=1)  # pyright: ignore[reportArgumentType] place
member = values.SettingMembersArgs()  # pyright: ignore[reportCallIssue] name
computed = values.SettingArgs(level=values.SettingLevel.LOW, size=1)  # pyright: ignore[reportCallIssue] size
password = right.password  # pyright: ignore[reportAttributeAccessIssue] password

size: pulumi.Output[float] = right.size
city: pulumi.Output[str] = right.place.apply(lambda place: place["city"] if isinstance(place, dict) else str(place))
