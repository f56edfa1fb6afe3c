terraform {
  required_providers {
    sqlite = { source = "example.com/demo/sqlite" }
  }

  provider_meta "sqlite" {
    author = "librarian"
  }
}

variable "table" { default = "books" }
variable "title" { default = "It's \"here\"" }
variable "pages" { default = 320 }
variable "pages_type" { default = "integer" }
variable "secrets_version" { default = 1 }

provider "sqlite" {
  file           = "library.db"
  token_lifetime = 600
}

resource "sqlite_table" "books" {
  name = var.table
  columns = {
    title  = { type = "text", required = true, default = "none" }
    pages  = { type = var.pages_type }
    lent   = { type = "integer" }
    reader = { type = "text" }
    token  = { type = "text" }
  }
}

ephemeral "sqlite_token" "loan" {
  purpose = "loan"
}

resource "sqlite_row" "book" {
  table            = sqlite_table.books.name
  values           = { title = var.title, pages = var.pages, lent = true }
  sensitive_values = { reader = "canary-reader" }
  secrets          = { token = ephemeral.sqlite_token.loan.value }
  secrets_version  = var.secrets_version

  # A table that becomes another one takes its rows with it.
  lifecycle {
    replace_triggered_by = [sqlite_table.books]
  }
}

data "sqlite_query" "long" {
  sql        = "${provider::sqlite::select(sqlite_table.books.name, "title", "pages")} WHERE pages > ?"
  parameters = ["100"]
  depends_on = [sqlite_row.book]
}

output "long" { value = data.sqlite_query.long.rows }
output "quoted" { value = provider::sqlite::quote_identifier("odd \"name\"") }
output "literals" { value = [for text in ["12.50", "'it''s'", "NULL"] : provider::sqlite::parse_literal(text)] }
