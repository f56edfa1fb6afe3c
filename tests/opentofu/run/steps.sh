# A whole run of OpenTofu, which does not say when it applies.
cp -r "$PROJECT"/tests/cases/integrations/run/{main.tf,network,budget.py,integrations.toml} .
host=tofu
. "$SUPPORT/whole_run.sh"

step "a budget that is exceeded: nothing is applied, of either provider"
exceeded

step "who does not answer at the end of the plan has not agreed to it, also without this command"
unanswered

step "a plan alone ends with 1"
LIMIT=2 brief tofu plan -no-color
rm -r asked.txt report

step "just within the budget: what is planned again in the apply is not counted twice"
LIMIT=3 brief tofu apply -auto-approve -no-color
asked

step "addresses, as OpenTofu says them with -json"
brief tofu apply -json -auto-approve -replace=module.network.time_offset.later
python3 -c 'import json; [json.loads(line) for line in open("said.txt")]'
asked

step "destroy plans twice"
brief tofu destroy -auto-approve -no-color
asked | grep -A1 'stage\|started\|ended'
