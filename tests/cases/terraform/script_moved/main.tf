terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "script" {
  default = "record.ts"
}

resource "denobridge_resource" "record" {
  path        = var.script
  props       = { file = "record.json", value = 1 }
  permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
}
