terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "password" { ephemeral = true }
variable "token" { sensitive = true }
variable "fails" { default = "nothing" }

provider "denobridge" {
  config           = { region = "eu" }
  sensitive_config = { token = var.token }
}

data "denobridge_datasource" "leaks" {
  path  = "../scripts/leaks.ts"
  props = { kind = "data source" }
}

ephemeral "denobridge_ephemeral_resource" "leaks" {
  path  = "../scripts/leaks.ts"
  props = { kind = "ephemeral resource" }
}

resource "denobridge_resource" "leaks" {
  path             = "../scripts/leaks.ts"
  props            = { fails = var.fails }
  write_only_props = { password = var.password }
}
