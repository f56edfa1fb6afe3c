# Rows that somebody else made, under Pulumi: an import reads the columns that it names, and no secret of others.
sql() { python3 -c 'import sqlite3,sys; c = sqlite3.connect("library.db"); [print(*row, sep="|") for row in c.execute(sys.argv[1])]; c.commit()' "$1"; }
row() { pulumi stack export | pick '[(r["id"], r["inputs"], r["outputs"]) for r in it["deployment"]["resources"] if r["urn"].endswith("Row::'"$1"'")]'; }
sql "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, pages INTEGER, pin TEXT)"
sql "INSERT INTO books VALUES (1, 'One', 320, 'canary-pin'), (2, 'Two', 7, 'canary-pin')"
stack

step "import by the option"
run pu_up
row book
pulumi stack export --show-secrets > state.json
nowhere canary state.json

step "once it is there, its secrets can be written"
sed -i '/options:/,$d' Pulumi.yaml
printf '      secrets: { pin: another-pin }\n      secretsVersion: 1\n' >> Pulumi.yaml
run pu_up
sql "SELECT pin FROM books WHERE id = 1"
exported > state.json
nowhere another-pin state.json
run pu_preview --expect-no-changes

step "import by the command"
quiet pulumi config set sqlite:file library.db
run pu_import sqlite:index:Row second books/2:title
row second
pulumi stack export --show-secrets > state.json
nowhere canary state.json

step "what is not there"
run pu_import sqlite:index:Row third books/9
