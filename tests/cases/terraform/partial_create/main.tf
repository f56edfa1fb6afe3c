terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "fail" { default = "after create" }

resource "denobridge_resource" "record" {
  path        = "../scripts/record.ts"
  props       = { file = "record.json", value = 1, fail = var.fail }
  permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
}
