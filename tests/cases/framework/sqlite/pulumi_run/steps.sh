# What lasts as long as a run of Pulumi, or is done in it: a token, functions, a search, and an action that tells how far it is.
sql() { python3 -c 'import sqlite3,sys; [print(*row, sep="|") for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]' "$@"; }
# What the action told of itself while it ran.
progress() {
  python3 - <<'END'
import json
for line in open("events.json"):
    event = json.loads(line).get("diagnosticEvent", {})
    if "BackupAction" in event.get("urn", "") and event.get("ephemeral"):
        print(event["message"].strip())
END
}
# Without the outputs, which Pulumi prints after some failures and after others not.
pu_up_only() { pu_up "$@" | sed '/^Outputs:/,/^Resources:/ { /^Resources:/!d }'; }
stack

step "create"
# Only then does Pulumi know of event logs.
export PULUMI_DEBUG_COMMANDS=1
run pu_up --event-log events.json
unset PULUMI_DEBUG_COMMANDS
progress
run pulumi stack output --json

step "the token was there while the action ran, is gone, and is in no state"
sql copy.db "SELECT purpose, length(value), expires > unixepoch() FROM _tokens"
sql library.db "SELECT count(*) AS open_tokens FROM _tokens"
TOKEN=$(sql copy.db "SELECT value FROM _tokens")
[ "${#TOKEN}" -eq 32 ] || fail "the token is «$TOKEN»"
exported > state.json
nowhere "$TOKEN" state.json events.json

step "nothing changes, nothing is copied"
rm copy.db
quiet pulumi up --yes --skip-preview --non-interactive
[ ! -e copy.db ] || fail "the action ran again"

step "an action that fails says why, and what failed runs again"
sed -i 's|to: copy.db|to: missing/copy.db|; s/One/Two/; s/purpose: loan/purpose: another loan/' Pulumi.yaml
run pu_up_only
mkdir missing
quiet pulumi up --yes --skip-preview --non-interactive
sql missing/copy.db "SELECT title FROM books"

step "wrong argument of a function"
sed -i "s/columns: \[title, 'odd.*/columns: [title, ''] }/" Pulumi.yaml
run pu_preview

step "destroy"
quiet pulumi destroy --yes --skip-preview --non-interactive
sql library.db "SELECT count(*) AS open_tokens FROM _tokens"
