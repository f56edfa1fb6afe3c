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
    title = { type = "text" }
    pages = { type = "integer" }
  }
}
