# The same provider under Pulumi: tables, rows and a query.
sql() { python3 -c 'import sqlite3,sys; [print(*row, sep="|") for row in sqlite3.connect("library.db").execute(sys.argv[1])]' "$1"; }
# The id of a provider is another one in each run.
previewed() { pu_preview "$@" | sed -E 's/::[0-9a-f]{8}-[0-9a-f-]{27}/::[ID]/'; }
stack

step "preview"
run previewed

step "create"
run pu_up
sql "SELECT * FROM books"
exported > state.json
nowhere canary- state.json

step "no change"
run previewed --expect-no-changes

step "drift is found and mended"
python3 -c 'import sqlite3; c = sqlite3.connect("library.db"); c.execute("UPDATE books SET pages = 7"); c.commit()'
run pu_refresh
run pu_up
sql "SELECT pages FROM books"

step "update"
pulumi config set title Other
run previewed
run pu_up
sql "SELECT title FROM books"

step "destroy"
run pu_destroy
sql "SELECT name FROM sqlite_schema"
