"""What a program may say about resources of the package in examples/infra beside their properties, and two versions of that
package in one stack."""

from typing import Any

import pulumi
import pulumi_infra as infra
import pulumi_infra_newer as newer
from scenario import Scenario, on_disk

ALLOWED = ["read", "write"]


def provider() -> newer.Provider:
    return newer.Provider("newer", root="data", permissions=newer.ProviderPermissionsArgs(allow=ALLOWED))


def marked(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult:
    """Adds a tag to every bucket."""
    given: Any = args.props["tags"]
    return pulumi.ResourceTransformResult(props={**args.props, "tags": {**given, "marked": "yes"}}, opts=args.opts)


def everything(round: str):
    def program() -> None:
        older = infra.Provider("older", root="data", permissions=infra.ProviderPermissionsArgs(allow=ALLOWED))
        replaced = infra.Bucket(
            "replaced",
            name="replaced",
            tags={"round": round},
            opts=pulumi.ResourceOptions(
                provider=older,
                replace_on_changes=["tags.round"],
                # There is only one bucket of a name.
                delete_before_replace=True,
                custom_timeouts=pulumi.CustomTimeouts(create="10m"),
            ),
        )
        people = infra.Database(
            "people",
            name="people",
            owner=pulumi.Output.secret("somebody"),
            opts=pulumi.ResourceOptions(provider=older, depends_on=[replaced]),
        )
        transformed = infra.Bucket(
            "transformed",
            name="transformed",
            tags={"team": "web"},
            opts=pulumi.ResourceOptions(provider=older, transforms=[marked]),
        )
        other = provider()
        newer.Bucket("fed", name="fed", tags={"url": transformed.url}, opts=pulumi.ResourceOptions(provider=other))
        newer.Slow("slow", seconds=0, opts=pulumi.ResourceOptions(provider=other))
        pulumi.export("owner", people.owner)

    return program


def late() -> None:
    timeouts = pulumi.CustomTimeouts(create="2s")
    newer.Slow("late", seconds=600, opts=pulumi.ResourceOptions(provider=provider(), custom_timeouts=timeouts))


scenario = Scenario("infra-options")
scenario.up("create", everything("one"))
on_disk("data/buckets/transformed.json", "data/buckets/fed.json")
deployment: Any = scenario.stack.export_stack().deployment
resources = deployment["resources"]
versions = sorted(one["inputs"]["version"] for one in resources if one["type"] == "pulumi:providers:infra")
print(f"versions of infra: {', '.join(versions)}")
# Providers are updated once, by the engine: it knows the version of the plugin from the state then, and not from a
# language host, which an inline program does not have.
scenario.preview("the same program again", everything("one"))
scenario.up("replaceOnChanges, deleteBeforeReplace", everything("two"))
on_disk("data/buckets/replaced.json")
scenario.refused("customTimeouts", late, r"customTimeouts[^\n]*")
scenario.destroy("destroy")
on_disk("data/buckets/replaced.json", "data/buckets/transformed.json", "data/buckets/fed.json")
