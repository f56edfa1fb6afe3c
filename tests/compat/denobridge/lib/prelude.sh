# What the steps of a case may use. Sourced before steps.sh; the working directory is a copy of the case's folder.
#
# $TERRAFORM   the tool that is driven
# $SANDBOX     the folder that the case's folder is in
# $DENO        the Deno that runs the scripts; the configurations get it as the variable "deno"

tf() { # tf SUBCOMMAND ARGS…: runs it with -json, prints the summary, then what the script was sent
  local sub=$1 status; shift
  : > "$BRIDGE_TRACE"
  local common=(-json -parallelism=1)
  case $sub in apply|destroy) common+=(-auto-approve);; esac
  ("$TERRAFORM" "$sub" "${common[@]}" "$@" > out.json 2> err.txt; exit $?) 2> /dev/null
  status=$?
  # UNORDERED=1: several objects are handled in no fixed order, so sort what is printed.
  cat out.json err.txt | "$DENO" run -q --no-lock ../lib/summarise.ts "$SANDBOX" | order
  echo "  exit $status"
  sed 's/^/  rpc /' "$BRIDGE_TRACE" | order
}
order() { if [ -n "${UNORDERED:-}" ]; then LC_ALL=C sort; else cat; fi; }
state() { "$DENO" run -q -A --no-lock ../lib/state.ts "$@"; }
step() { echo; echo "== $*"; }
UNORDERED=
