terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "script" {}

provider "denobridge" {
  limits = { call_timeout = 3 }
}

resource "denobridge_resource" "thing" {
  path  = var.script
  props = { value = "kept" }
}
