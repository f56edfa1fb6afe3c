terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

variable "days" {
  type    = number
  default = 7
}

resource "time_offset" "later" {
  base_rfc3339 = "2027-01-02T03:04:05Z"
  offset_days  = var.days
}

# Its time is over: the provider forgets it when it is asked again.
resource "time_rotating" "lease" {
  rfc3339       = "2020-01-02T03:04:05Z"
  rotation_days = 30
}
