terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "fail" { default = "no" }
variable "password" { ephemeral = true }
variable "token" { sensitive = true }

provider "denobridge" {
  config           = { region = "eu" }
  sensitive_config = { token = var.token }
}

resource "denobridge_resource" "record" {
  path             = "../scripts/record.ts"
  props            = { file = "record.json", value = 1.5, secret = "kind", fail = var.fail }
  write_only_props = { password = var.password }
  permissions      = { allow = ["read", "write", "env=RECORD_TRACE"] }
}
