terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "value" { default = "first" }
variable "file" { default = "policy.toml" }
variable "late" { default = false }

provider "denobridge" {
  integrations = var.late ? terraform_data.later.id : var.file
}

resource "terraform_data" "later" {}

resource "denobridge_resource" "record" {
  path        = "../scripts/record.ts"
  props       = { file = "record.json", value = var.value }
  permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
}
