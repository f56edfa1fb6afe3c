terraform {
  required_providers {
    time = { source = "hashicorp/time" }
  }
}

variable "year" { default = 2027 }

# Each has a value that says which one it is.
resource "time_static" "one" {
  count   = 150
  rfc3339 = timeadd("${var.year}-01-01T00:00:00Z", "${count.index}s")
}
