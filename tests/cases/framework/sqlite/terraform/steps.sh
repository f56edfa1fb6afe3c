# A database from nothing to nothing: resources, a data source, functions, an ephemeral resource and a write-only attribute.
sql() { python3 -c 'import sqlite3,sys; [print(*row, sep="|") for row in sqlite3.connect("library.db").execute(sys.argv[1])]' "$1"; }
token() { sql "SELECT token FROM $1"; }
# Tokens are opened and closed beside everything else, at no certain moment.
without_tokens() { grep -v '^ephemeral\.'; }
applied() { tf_apply "$@" | without_tokens; }
imported() { tf import "$@" | without_tokens; }

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

step "no change"
run tf plan -detailed-exitcode

step "drift is found and mended"
python3 -c 'import sqlite3; c = sqlite3.connect("library.db"); c.execute("UPDATE books SET pages = 7, lent = 0"); c.commit()'
run tf plan -detailed-exitcode
quiet terraform apply -auto-approve
sql "SELECT pages, lent FROM books"

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

step "import by id: all columns, since nobody says which"
python3 -c 'import sqlite3; c = sqlite3.connect("library.db"); c.execute("UPDATE volumes SET token = NULL"); c.commit()'
quiet terraform state rm sqlite_row.book sqlite_table.books
run imported -var table=volumes -var pages_type=text sqlite_table.books volumes
run imported -var table=volumes -var pages_type=text sqlite_row.book volumes/1
run tf state show sqlite_row.book

step "tokens need their setting"
sed -i.old '/token_lifetime/d' main.tf
refused tf plan -var table=volumes -var pages_type=text
mv main.tf.old main.tf

step "destroy"
run tf destroy -auto-approve -var table=volumes -var pages_type=text
sql "SELECT name FROM sqlite_schema"
