terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
    time       = { source = "hashicorp/time" }
  }
}

variable "days" { default = 7 }

resource "denobridge_resource" "record" {
  path = "../scripts/record.ts"
  props = {
    file  = "record.json"
    value = "first"
  }
  permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
}

module "network" {
  source = "./network"
  days   = var.days
}
