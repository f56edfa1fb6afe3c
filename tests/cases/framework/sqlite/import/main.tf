terraform {
  required_providers {
    sqlite = { source = "example.com/demo/sqlite" }
  }
}

provider "sqlite" {
  file = "library.db"
}

resource "sqlite_table" "books" {
  name = "books"
  columns = {
    title  = { type = "text", required = true }
    pages  = { type = "integer" }
    reader = { type = "text" }
    pin    = { type = "text" }
  }
}

resource "sqlite_row" "book" {
  table            = sqlite_table.books.name
  values           = { title = "One", pages = 320 }
  sensitive_values = { reader = "canary-reader" }
  secrets          = { pin = "canary-pin" }
}
