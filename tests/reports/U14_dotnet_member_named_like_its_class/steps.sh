# Where the generator for .NET would name a member like its class, the schema gives it another name there. There is no .NET
# here, so what is shown is the schema.
. "$SUPPORT/report.sh"
provider
step "Overrides for .NET"
schema | pick '{token: {name: prop["language"] for name, prop in one["properties"].items() if "language" in prop} for token, one in [*it["resources"].items(), *((name, fn["outputs"]) for name, fn in it["functions"].items() if "outputs" in fn)]}'
