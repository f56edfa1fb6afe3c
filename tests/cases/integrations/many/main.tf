terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

variable "many" { default = 10 }

resource "time_static" "one" {
  count   = var.many
  rfc3339 = "2027-01-02T03:04:05Z"
}
