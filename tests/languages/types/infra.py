"""What the scripts of examples/infra say of themselves, as Python has it. Each line with an ignored rule has to break that rule,
and the message has to name what stands behind it."""

import pulumi
import pulumi_infra as infra

right = infra.Bucket(
    "right",
    name="our-assets",
    access=infra.BucketAccess.PUBLIC,
    rules=[infra.BucketRulesArgs(prefix="tmp/", days=7)],
    website={"index": "index.html"},
)
dictionary = infra.Bucket("dictionary", name="our-assets", rules=[{"prefix": "tmp/", "days": 7}])
address = infra.Bucket("address", name="elsewhere", website="https://example.org")

missing = infra.BucketArgs()  # pyright: ignore[reportCallIssue] name
access = infra.BucketArgs(name="a", access="secret")  # pyright: ignore[reportArgumentType] access
size = infra.BucketArgs(name="a", max_size="large")  # pyright: ignore[reportArgumentType] max_size
days = infra.BucketRulesArgs(days="soon")  # pyright: ignore[reportArgumentType] days
rule = infra.BucketRulesArgs(prefix="tmp/")  # pyright: ignore[reportCallIssue] days
website = infra.BucketArgs(name="a", website=7)  # pyright: ignore[reportArgumentType] website
url = infra.BucketArgs(name="a", url="disk://a")  # pyright: ignore[reportCallIssue] url
zone = infra.get_zone(zone="example.org")  # pyright: ignore[reportCallIssue] zone
label = infra.label(text=7)  # pyright: ignore[reportArgumentType] text

key: pulumi.Output[str] = infra.Database("database", name="people").key
serial: int = infra.get_zone(name="example.org").serial
