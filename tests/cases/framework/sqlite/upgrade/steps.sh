# A state that version 0 of the schema wrote, when columns were a list of texts.
cp old.tfstate terraform.tfstate
python3 -c 'import sqlite3; sqlite3.connect("library.db").execute("CREATE TABLE books (id INTEGER PRIMARY KEY, pages INTEGER, title TEXT)")'

step "the stored state is brought to the current schema"
run tf plan -detailed-exitcode
quiet terraform apply -auto-approve -refresh-only
terraform show -json | pick '[(r["schema_version"], r["values"]) for r in it["values"]["root_module"]["resources"]]'

step "destroy"
quiet terraform destroy -auto-approve
