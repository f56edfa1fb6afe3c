terraform {
  required_providers {
    sqlite = { source = "example.com/demo/sqlite" }
  }
}

provider "sqlite" {
  file = "library.db"
}

resource "terraform_data" "books" {
  input = "books"

  provisioner "local-exec" {
    command = "python3 -c 'import sqlite3; sqlite3.connect(\"library.db\").execute(\"CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT)\")'"
  }
}
