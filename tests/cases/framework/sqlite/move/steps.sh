# A table that a command made becomes one of the provider's, with a moved block.
step "made by a command"
quiet terraform apply -auto-approve

step "taken over"
sed -i '/^resource/,$d' main.tf
cat >> main.tf <<'END'
resource "sqlite_table" "books" {
  name    = "books"
  columns = { title = { type = "text" } }
}

moved {
  from = terraform_data.books
  to   = sqlite_table.books
}
END
run tf plan
quiet terraform apply -auto-approve
terraform show -json | pick '[(r["address"], r["values"]) for r in it["values"]["root_module"]["resources"]]'
run tf plan -detailed-exitcode

step "destroy"
quiet terraform destroy -auto-approve
python3 -c 'import sqlite3; print(sqlite3.connect("library.db").execute("SELECT count(*) FROM sqlite_schema").fetchall())'
