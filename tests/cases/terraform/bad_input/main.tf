terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "script" {}

# Short for the script that says nothing.
variable "call_timeout" { default = 3 }

provider "denobridge" {
  limits = { call_timeout = var.call_timeout }
}

resource "denobridge_resource" "thing" {
  path  = var.script
  props = { value = "kept" }
}
