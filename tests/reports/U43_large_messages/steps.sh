# A value and a schema of more than the 4 MB that gRPC takes by itself.
. "$SUPPORT/report.sh"
provider
python3 -c 'print("y" * 5_000_000, end="")' >large.txt
under_terraform
tf_up
tf_preview
tf_destroy
under_pulumi
pu_up
pu_preview
exported | pick '{part: len(value) for part, value in it["resources"][-1]["outputs"].items()}'
pu_destroy
step "What the provider was asked"
same_requests

step "A large schema"
python3 -c '
import json
provider = json.load(open("provider.json"))
provider["resources"]["x_thing"] |= {"copies": 300}
provider["resources"]["x_thing"]["schema"]["description"] = "long " * 4_000
json.dump(provider, open("large.json", "w"))'
provider large.json
schema | pick '[len(it["resources"]), sum(len(one.get("description", "")) for one in it["resources"].values()) > 5_900_000]'
