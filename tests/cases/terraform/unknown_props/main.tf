terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "value" { default = "first" }

locals {
  permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
}

resource "denobridge_resource" "first" {
  path        = "../scripts/record.ts"
  props       = { file = "first.json", value = var.value }
  permissions = local.permissions
}

resource "denobridge_resource" "second" {
  path = "../scripts/record.ts"
  props = {
    file  = "second.json"
    value = { from = denobridge_resource.first.state.length, id = denobridge_resource.first.id, own = "known" }
  }
  permissions = local.permissions
}
