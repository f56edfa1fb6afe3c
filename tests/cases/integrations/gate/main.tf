terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "value" { default = "first" }

resource "denobridge_resource" "record" {
  path = "../scripts/record.ts"
  props = {
    file  = "record.json"
    value = var.value
  }
  permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
}
