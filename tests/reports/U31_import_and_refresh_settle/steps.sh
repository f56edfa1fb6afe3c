# Refresh, update and refresh again leave the state as it is, and so does an update after an import of the same object.
. "$SUPPORT/report.sh"
provider
object() { pulumi stack export --show-secrets | pick '[{key: one.get(key) for key in ("id", "inputs", "outputs")} for one in it["deployment"]["resources"] if one["type"].endswith("Thing")]'; }
under_pulumi
pu_up
object >created.json
pu_refresh
object >refreshed.json
pu_up
object >updated.json
pu_refresh
object >again.json
for state in refreshed updated again; do same "$(cat $state.json)" "$(cat created.json)" $state; done
step "Import"
urn=$(pulumi stack export | pick '[one["urn"] for one in it["deployment"]["resources"] if one["type"].endswith("Thing")][0]' | tr -d '"')
quiet pulumi state delete "$urn" --yes
pu_import x:index/thing:Thing it it
pu_preview
pu_up
pu_refresh
object >imported.json
pu_up
same "$(object)" "$(cat imported.json)" "after the import"
object | pick '[it[0]["inputs"], it[0]["id"]]'
