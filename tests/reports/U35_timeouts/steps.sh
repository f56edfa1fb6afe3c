# A `timeouts` block as the old SDK has it and a `timeouts` attribute as the framework has it, set partly, fully and not at all.
. "$SUPPORT/report.sh"
provider
both_tools
