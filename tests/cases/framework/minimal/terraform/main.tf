terraform {
  required_providers {
    minimal = { source = "example.com/demo/minimal" }
  }
}

variable "text" { default = "hello" }

resource "minimal_note" "first" {
  title = "first"
  text  = var.text
}
