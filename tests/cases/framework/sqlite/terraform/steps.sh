# A database from nothing to nothing: resources, a data source, functions, an ephemeral resource and a write-only attribute.
sql() { python3 -c 'import sqlite3,sys; c = sqlite3.connect("library.db"); [print(*row, sep="|") for row in c.execute(sys.argv[1])]; c.commit()' "$1"; }
token() { sql "SELECT token FROM $1"; }
# Tokens are opened and closed beside everything else, at no certain moment.
without_tokens() { grep -v '^ephemeral\.'; }
applied() { tf_apply "$@" | without_tokens; }

step "create"
run applied
sql "SELECT id, title, pages, lent, reader, length(token) FROM books"
sql "SELECT count(*) AS open_tokens FROM _tokens"

step "the token is in no state and no plan, the reader is not shown"
TOKEN=$(token books)
[ "${#TOKEN}" -eq 32 ] || fail "the token is «$TOKEN»"
quiet terraform plan -out=plan.bin
quiet unzip -qo plan.bin -d plan
terraform show -json plan.bin > plan.json
nowhere "$TOKEN" terraform.tfstate plan plan.json

step "what was changed is recorded for the module's author"
sql "SELECT author, component FROM _changes ORDER BY rowid"

step "no change"
run tf plan -detailed-exitcode

step "drift is found and mended"
sql "UPDATE books SET pages = 7, lent = 0"
run tf plan -detailed-exitcode
quiet terraform apply -auto-approve
sql "SELECT pages, lent FROM books"

step "the token is written again where the version of the secrets says so"
BEFORE=$(token books)
quiet terraform apply -auto-approve
same "$(token books)" "$BEFORE" "nothing has changed"
run applied -var secrets_version=2
AFTER=$(token books)
[ "${#AFTER}" -eq 32 ] || fail "the token is «$AFTER»"
[ "$AFTER" != "$BEFORE" ] || fail "the token is still the same"
nowhere "$AFTER" terraform.tfstate

step "a row that is gone is made again"
sql "DELETE FROM books"
run tf plan -detailed-exitcode -var secrets_version=2
quiet terraform apply -auto-approve -var secrets_version=2
sql "SELECT title, pages FROM books"

step "update in place; the table is renamed"
run applied -var title=Other -var table=volumes
sql "SELECT id, title, pages FROM volumes"

step "a column of another type is another table"
run applied -var title=Other -var table=volumes -var pages_type=text
sql "SELECT id, title, pages, typeof(pages) FROM volumes"
run tf plan -detailed-exitcode -var title=Other -var table=volumes -var pages_type=text

step "wrong argument of a function"
printf 'output "wrong" { value = provider::sqlite::select("a", "b", "") }\n' > wrong.tf
refused tf plan -var table=volumes
rm wrong.tf

step "what the database refuses is told in its words"
printf 'resource "sqlite_row" "wrong" {\n  table  = sqlite_table.books.name\n  values = { nothing = 1 }\n}\n' > wrong.tf
refused applied -var title=Other -var table=volumes -var pages_type=text
rm wrong.tf

step "tokens need their setting"
sed -i.old '/token_lifetime/d' main.tf
refused tf plan -var table=volumes -var pages_type=text
mv main.tf.old main.tf

step "destroy"
run tf destroy -auto-approve -var table=volumes -var pages_type=text
sql "SELECT name FROM sqlite_schema"
