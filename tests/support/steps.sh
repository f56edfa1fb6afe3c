# What the steps of a case may use. Sourced before steps.sh; the working directory is a copy of the case's folder.
#
# $SCRIPTS   a copy of tests/scripts, shared by all cases
# $SANDBOX   a folder of this run's own, removed afterwards
# $PROJECT   the project's own folder, to be read only
# $PROGRAMS  the folder first on PATH: denobridge, terraform-provider-denobridge, pulumi-resource-denobridge, the tools
#            and pulumi-resource-kinds, a provider with a component of every kind that notes down in the file
#            $KINDS_JOURNAL what it does; in cases under framework/NAME also terraform-provider-NAME and
#            pulumi-resource-NAME, and in cases under bridged/, integrations/, tests/peers/ and tests/opentofu/ terraform-provider-time,
#            terraform-provider-everything, terraform-provider-classic and loopback-registry

# A heading in what is printed.
step() { printf '\n== %s\n' "$*"; }

# Runs a command and prints it with all it says and, when it is not 0, its exit code.
run() {
  printf '$ %s\n' "$*"
  local code=0
  "$@" 2>&1 || code=$?
  [ "$code" -eq 0 ] || printf '(exit code %s)\n' "$code"
}

# Runs a command that must succeed; what it says is shown only when it does not.
quiet() {
  local said code=0
  said=$("$@" 2>&1) || code=$?
  if [ "$code" -ne 0 ]; then
    printf '%s\n' "$said" >&2
    fail "\`$*\` ended with $code"
  fi
}

# Runs a command that must fail and prints what it says.
refused() {
  printf '$ %s\n' "$*"
  local code=0
  "$@" 2>&1 || code=$?
  [ "$code" -ne 0 ] || fail "\`$*\` succeeded"
}

# Ends the case.
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# Waits until a file is there, for a minute: machines may be busy.
await() {
  for _ in $(seq 1200); do
    [ -e "$1" ] && return
    sleep 0.05
  done
  fail "$1 did not appear"
}

# Fails unless the two texts are the same.
same() { [ "$1" = "$2" ] || fail "expected «$2», got «$1»${3:+ ($3)}"; }

# Fails if the text occurs in any of the files or folders.
nowhere() {
  local text=$1
  shift
  if grep -rlF -- "$text" "$@" >&2; then fail "«$text» is in the files named above"; fi
}

# A file's content, mode and digest, as found on disk.
on_disk() {
  for file in "$@"; do
    if [ -e "$file" ]; then
      printf '%s: mode %s, %s\n' "$file" "$(stat -c %a "$file")" "$(head -c 200 "$file")"
    else
      printf '%s: absent\n' "$file"
    fi
  done
}

# The text files that the case's scripts have left.
texts() { ls | grep '\.txt$' | grep -v '^expected\.txt$' || echo "no file"; }

# The parameter in the YAML SDK below a folder.
parameter_of() {
  grep -rh '^ *value:' "$1" | sed 's/.*value: *//' | base64 -d
  echo
}

# Evaluates a Python expression over the JSON on standard input, called `it`, and prints the result as sorted JSON.
pick() { python3 -c 'import json,sys; it=json.load(sys.stdin); print(json.dumps(eval(sys.argv[1]), sort_keys=True, indent=1))' "$1"; }

# Terraform without the noise that is the same in every case. Terraform says so itself that overrides are in force.
tf() { terraform "$@" -no-color 2>&1 | python3 "$SUPPORT/tidy_terraform.py"; }
tf_apply() { tf apply -auto-approve "$@"; }

# Of a plugin that is gone Terraform says one of two things, by what it notices first.
plugin_gone() {
  sed -E 's/^Error: (Plugin did not respond|Request cancelled)$/Error: [the plugin is gone]/
    /^The plugin encountered an error, and|^plugin6.*call\. The plugin logs may|^(more )?details\.$|^The plugin6.* was cancelled\.$/d' | cat -s
}

# From here on, the traffic of Terraform's providers with scripts is recorded for the harness, which holds it against the
# contract's documents. With "damaged", only what is sent: the scripts of the case answer wrongly on purpose, or secrets hide how they answer.
record_traffic() { export TF_LOG=JSON TF_LOG_PATH=$SANDBOX/json-rpc${1:+-$1}.log; }

# Pulumi without colours and questions.
pu() { pulumi "$@" --non-interactive --color never; }

# A new stack in this run's own backend.
stack() { quiet pulumi stack init dev --non-interactive; }

# pulumi up, preview, refresh and destroy as a person sees them, without what differs from run to run.
pu_up() { pu up --yes --skip-preview "$@" 2>&1 | python3 "$SUPPORT/tidy_pulumi.py"; }
pu_preview() { pu preview --diff "$@" 2>&1 | python3 "$SUPPORT/tidy_pulumi.py" --tree; }
# What is said about a resource that cannot be planned. What the others come to, which are given up then, is a matter of time.
refusal() {
  pu_preview 2>&1 | sed -n "/^error: .*[\"']$1[\"']/,/^Resources:/p" | sed '/^Resources:\|^error: rpc/,$d'
}
pu_preview_refresh() { pu refresh --preview-only --diff "$@" 2>&1 | python3 "$SUPPORT/tidy_pulumi.py" --tree; }
pu_refresh() { pu refresh --yes --skip-preview "$@" 2>&1 | python3 "$SUPPORT/tidy_pulumi.py" --refresh; }
pu_import() { pu import "$@" --yes --skip-preview --protect=false --generate-code=false 2>&1 | python3 "$SUPPORT/tidy_pulumi.py"; }
pu_destroy() { pu destroy --yes --skip-preview "$@" 2>&1 | python3 "$SUPPORT/tidy_pulumi.py"; }

# The stack's state without secrets shown; with --show-secrets they are. What changes with every operation is left out.
exported() {
  pulumi stack export "$@" | python3 -c '
import json, sys
state = json.load(sys.stdin)["deployment"]
state.pop("manifest", None)
for resource in state.get("resources", []):
    resource.pop("created", None)
    resource.pop("modified", None)
print(json.dumps(state, indent=1, sort_keys=True))'
}
