terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

resource "time_static" "start" {
  rfc3339 = "2027-01-02T03:04:05Z"
}
