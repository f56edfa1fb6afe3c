# A table and rows that somebody else made. Nobody has said which of their columns hold secrets, so an import reads those that it names.
sql() { python3 -c 'import sqlite3,sys; c = sqlite3.connect("library.db"); [print(*row, sep="|") for row in c.execute(sys.argv[1])]; c.commit()' "$1"; }
row() { terraform show -json | pick '[r["values"] for r in it["values"]["root_module"]["resources"] if r["type"] == "sqlite_row"]'; }
sql "CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, pages INTEGER, reader TEXT, pin TEXT)"
sql "INSERT INTO books VALUES (1, 'One', 320, 'canary-reader', 'canary-pin'), (2, 'Two', 7, NULL, 'canary-pin')"

step "a table"
run tf import sqlite_table.books books
quiet terraform plan -detailed-exitcode -target=sqlite_table.books

step "a row by an id without columns: nothing but the row's place is stored"
run tf import sqlite_row.book books/1
row
nowhere canary terraform.tfstate
run tf plan -detailed-exitcode

step "a row by an id with columns: these are compared, and no other is read"
quiet terraform state rm sqlite_row.book
cat > import.tf <<'END'
import {
  to = sqlite_row.book
  id = "books/1:title,pages"
}
END
run tf plan
run tf_apply
nowhere canary-pin terraform.tfstate
run tf plan -detailed-exitcode

step "the configuration of a row is written by Terraform"
cat > import.tf <<'END'
import {
  to = sqlite_row.second
  id = "books/2:title,pages"
}
END
run tf plan -generate-config-out=generated.tf
cat generated.tf
quiet terraform apply -auto-approve
nowhere canary-pin terraform.tfstate generated.tf
rm import.tf

step "what is not there"
printf 'resource "sqlite_row" "third" {\n  table  = "books"\n  values = {}\n}\n' > third.tf
refused tf import sqlite_row.third books/9
refused tf import sqlite_row.third books/1:titel
refused tf import sqlite_row.third books
rm third.tf

step "destroy"
quiet terraform destroy -auto-approve
sql "SELECT name FROM sqlite_schema"
