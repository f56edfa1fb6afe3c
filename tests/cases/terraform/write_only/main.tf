terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "password" { default = "canary-one" }

resource "denobridge_resource" "record" {
  path             = "../scripts/record.ts"
  props            = { file = "record.json", value = 1 }
  write_only_props = { password = var.password }
  permissions      = { allow = ["read", "write", "env=RECORD_TRACE"] }
}

output "version" {
  value = denobridge_resource.record.write_only_props_version
}
