terraform {
  required_providers {
    time = {
      source  = "hashicorp/time"
      version = "0.13.1"
    }
  }
}

variable "days" {
  type    = number
  default = 7
}

resource "time_static" "start" {
  rfc3339 = "2027-01-02T03:04:05Z"
}

resource "time_offset" "later" {
  base_rfc3339 = time_static.start.rfc3339
  offset_days  = var.days
}

output "day" {
  value = time_offset.later.day
}

output "parsed" {
  value = provider::time::rfc3339_parse("2027-01-02T03:04:05Z").year
}
