terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "file" { default = "record.json" }
variable "value" { default = "first" }

resource "denobridge_resource" "record" {
  path = "../scripts/record.ts"
  props = {
    file  = var.file
    value = var.value
    ports = [80, 443]
    ratio = 0.1
    large = 9007199254740993
  }
  permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
}

output "length" {
  value = denobridge_resource.record.state.length
}
