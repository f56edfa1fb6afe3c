# A whole run with one set of integrations: two providers under Terraform, and a preview with its update under Pulumi.
host=terraform
. "$SUPPORT/whole_run.sh"

step "a budget that is exceeded: nothing is applied, of either provider"
exceeded

step "who does not answer at the end of the plan has not agreed to it"
unanswered

step "it is refused also where nobody can be told"
code=0
LIMIT=2 timeout 60 denobridge run -- terraform apply -auto-approve -no-color > said.txt 2> /dev/full || code=$?
echo "(exit code $code)"
on_disk record.json
rm -r asked.txt report

step "a plan alone ends with 1"
LIMIT=2 brief terraform plan -no-color
LIMIT=2 brief terraform plan -no-color -detailed-exitcode
rm -r asked.txt report

step "within the budget: one process of the integration, one plan and one apply for both providers"
GRUMBLE=1 brief terraform apply -auto-approve -no-color
asked
ls report/*.html | wc -l

step "addresses, as Terraform says them with -json; what it writes comes through as it is"
brief terraform apply -json -auto-approve -replace=module.network.time_offset.later
python3 -c 'import json; [json.loads(line) for line in open("said.txt")]'
asked

step "from another folder, with a file that is named"
mkdir -p elsewhere
(cd elsewhere && unset DENOBRIDGE_INTEGRATIONS && denobridge run --integrations ../integrations.toml -- terraform -chdir=.. plan -no-color) | grep -o 'No changes'
asked | grep -c started

step "destroy plans twice"
brief terraform destroy -auto-approve -no-color
asked | grep -A1 'stage\|started\|ended'

step "what cannot be"
run env -u DENOBRIDGE_INTEGRATIONS denobridge run -- terraform plan
printf '[[integration]]\nname = "x"\ncommand = []\nhook = "pre-plan"\n' > wrong.toml
run denobridge run --integrations wrong.toml -- touch started.txt
on_disk started.txt
run around no-such-program
touch plain.txt
run around ./plain.txt

run around sh -c 'kill -TERM $$'

step "nobody took part that a hard integration is for"
printf '[[integration]]\nname = "lonely"\ncommand = ["nothing"]\nfail_mode = "hard"\nscope = { providers = ["no/body"] }\n' > lonely.toml
denobridge run --integrations lonely.toml -- terraform plan -no-color 2>&1 > /dev/null

step "each plan of a test is complete before anything is changed for it"
printf 'run "first" {}\nrun "second" {\n  command = plan\n}\nrun "third" {}\n' > thrice.tftest.hcl
brief terraform test -no-color
asked | grep -A1 'stage\|started\|ended'

# Starts a plan whose integration takes so many seconds, and waits until it is asked. Two variables: the wrapper, the integration.
slow() {
  SLOW=$1 denobridge run -- terraform plan -no-color > said.txt 2>&1 &
  wrapper=$!
  until grep -qs pre_plan asked.txt; do sleep 0.1; done
  integration=$(cat pid.txt)
}
# Waits until a process is gone, for fifteen seconds at most.
gone() {
  for _ in $(seq 150); do
    [ -d "/proc/$1" ] || return 0
    sleep 0.1
  done
  fail "$2 is still there"
}

step "interrupted: Terraform is told, and so is the integration"
slow 3
kill -TERM "$wrapper"
wait "$wrapper"
echo "(exit code $?)"
grep -o 'Interrupt received' said.txt | sort -u
grep ended asked.txt
rm -r asked.txt report

step "a signal to the whole group, as timeout sends it where no terminal is: the command is told once"
setsid denobridge run -- python3 told.py &
group=$!
until [ -e ready.txt ]; do sleep 0.1; done
kill -TERM "$group"
kill -TERM -- "-$group"
wait "$group" || echo "(exit code $?)"

step "a signal that was ignored stays so, for the command too"
(
  trap '' HUP INT
  # shellcheck disable=SC2016 # For the shell that is run.
  denobridge run -- sh -c 'kill -HUP $PPID $$; kill -INT $PPID $$; sleep 0.3; echo survived'
) || echo "(exit code $?)"

step "killed: its integration ends with it, and Terraform goes on without waiting"
slow 20
terraform=$(cat "/proc/$wrapper/task/$wrapper/children" | tr ' ' '\n' | while read -r child; do
  grep -q terraform "/proc/$child/comm" 2> /dev/null && echo "$child"
done)
kill -KILL "$wrapper"
wait "$wrapper" 2> /dev/null
gone "$integration" "the integration"
gone "$terraform" "terraform"
tr '\n' ' ' < said.txt | grep -oE 'the program around this run \(.denobridge run.\) has *ended' | tr -s ' ' | sort -u
rm -r asked.txt report

step "pulumi: the plan is complete before the update begins"
stack
BROKEN=1 brief pulumi up --yes --non-interactive --color never
on_disk pulumi.json
rm -r asked.txt report
LIMIT=0 brief pulumi up --yes --non-interactive --color never
asked
on_disk pulumi.json
brief pulumi up --yes --non-interactive --color never
asked
on_disk pulumi.json
brief pulumi destroy --yes --non-interactive --color never
asked

step "nothing is left, also not the folder of the run that was killed"
find "$TMPDIR" -mindepth 2 -maxdepth 2 -type d | wc -l
