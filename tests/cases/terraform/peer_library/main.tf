# Scripts as they were written for the Go provider's library, which an import map leads to ours.
terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "text" { default = "one" }
variable "path" { default = "note.txt" }

resource "denobridge_resource" "note" {
  path             = "resource.ts"
  props            = { path = var.path, text = var.text }
  write_only_props = { key = "canary-key" }
  permissions      = { allow = ["read", "write"] }
}

data "denobridge_datasource" "digest" {
  path  = "datasource.ts"
  props = { value = "canary-seed" }
}

ephemeral "denobridge_ephemeral_resource" "lease" {
  path        = "lease.ts"
  props       = { name = "me" }
  permissions = { allow = ["write"] }
}

output "state" { value = denobridge_resource.note.state }
output "digest" { value = data.denobridge_datasource.digest.result }
