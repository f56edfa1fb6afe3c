terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

variable "days" { type = number }

resource "time_static" "start" {
  rfc3339 = "2027-01-02T03:04:05Z"
}

resource "time_offset" "later" {
  base_rfc3339 = time_static.start.rfc3339
  offset_days  = var.days
}
