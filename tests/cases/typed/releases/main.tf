terraform {
  required_providers {
    notes = { source = "acme/notes" }
  }
}

resource "notes_note" "first" {
  title = "First"
  size  = 1
}
