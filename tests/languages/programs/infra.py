"""The package of scripts in examples/infra: every kind of component, and what a program may say about them beside their
properties."""

import json
import os
import shutil
from typing import Any, Optional

import pulumi
import pulumi_infra as infra
from scenario import Scenario, lines_on_disk, on_disk


def provider() -> infra.Provider:
    return infra.Provider("infra", root="data", permissions=infra.ProviderPermissionsArgs(allow=["read", "write"]))


# One of two types: pages, or an address.
PAGES = {"index": "index.html"}
ADDRESS = "https://example.org"


def everything(max_size: int = 1024, name: str = "assets", was: Optional[str] = None, website: Any = PAGES):
    def program() -> None:
        own = provider()
        invoke = pulumi.InvokeOutputOptions(provider=own)
        lock = infra.open_lock_output(name="deployment", opts=invoke)
        zone = infra.get_zone_output(name="example.org", opts=invoke)
        assets = infra.Bucket(
            name,
            name=infra.label_output(text="Our Assets", opts=invoke).result,
            max_size=max_size,
            rules=[infra.BucketRulesArgs(prefix="tmp/", days=7)],
            website=website,
            tags={"team": "web"},
            opts=pulumi.ResourceOptions(provider=own, aliases=[pulumi.Alias(name=was)] if was else []),
        )
        people = infra.Database(
            "people",
            name="people",
            password="correct horse",
            opts=pulumi.ResourceOptions(provider=own, depends_on=[assets]),
        )
        infra.NotifyAction(
            "told",
            message=pulumi.Output.concat(assets.url, " is there"),
            triggers=[assets.url],
            opts=pulumi.ResourceOptions(provider=own),
        )
        pulumi.export("url", assets.url)
        pulumi.export("key", people.key.apply(lambda key: key[:14]))
        pulumi.export("page", assets.website.apply(lambda site: site["index"] if isinstance(site, dict) else site))
        pulumi.export("first", zone.apply(lambda zone: zone.records[0].value))
        pulumi.export("token", lock.token)

    return program


def logs(days: int, options: pulumi.ResourceOptions):
    """A second bucket, with options."""

    def program() -> None:
        options.provider = provider()
        infra.Bucket("logs", name="logs", rules=[infra.BucketRulesArgs(prefix="", days=days)], opts=options)

    return program


def found() -> None:
    bucket = infra.Bucket.get("found", "by-hand", opts=pulumi.ResourceOptions(provider=provider()))
    pulumi.export("access", bucket.access)
    pulumi.export("url", bucket.url)


def imported() -> None:
    options = pulumi.ResourceOptions(provider=provider(), import_="by-hand")
    infra.Bucket("imported", name="by-hand", access=infra.BucketAccess.PUBLIC, opts=options)


def nothing() -> None:
    pass


def write(file: str, content: Any) -> None:
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as opened:
        opened.write(json.dumps(content, separators=(",", ":")) + "\n")


def keep(stage: str) -> None:
    """Keeps what is on disk, to be compared with what others leave there."""
    shutil.copytree("data", f"kept/{stage}")


ASSETS = "data/buckets/our-assets.json"
BY_HAND = "data/buckets/by-hand.json"

write("data/zones/example.org.json", {"serial": 1, "records": [{"name": "www", "type": "A", "value": "192.0.2.1"}]})
scenario = Scenario("infra")
scenario.refused("what no type says is refused by name", everything(max_size=0), r"property maxSize value [^\n]*")
on_disk(ASSETS)
scenario.up("create", everything())
on_disk(ASSETS)
lines_on_disk("data/journal")
keep("created")
scenario.preview("the same program again", everything())
scenario.up("update", everything(max_size=2048))
on_disk(ASSETS)
keep("updated")
scenario.up("one type for another", everything(max_size=2048, website=ADDRESS))
on_disk(ASSETS)
renamed = everything(max_size=2048, name="files", was="assets", website=ADDRESS)
scenario.up("a new name with an alias replaces nothing", renamed)
scenario.up("a protected one is made", logs(7, pulumi.ResourceOptions(protect=True)))
on_disk(ASSETS, "data/buckets/logs.json")
ignoring = pulumi.ResourceOptions(protect=True, ignore_changes=["rules[0].days"])
scenario.up("ignoreChanges", logs(30, ignoring))
on_disk("data/buckets/logs.json")
scenario.refused("and cannot be deleted", nothing, r"it is protected|is protected")
scenario.up("until it is protected no longer", logs(7, pulumi.ResourceOptions()))
write(BY_HAND, {"name": "by-hand", "access": "public"})
scenario.up("get", found)
scenario.up("import", imported)
scenario.destroy("destroy")
on_disk(BY_HAND, "data/buckets/logs.json", "data/databases/people.json")
keep("destroyed")
