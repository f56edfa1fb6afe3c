terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "ms" { default = 0 }

provider "denobridge" {
  limits = { stop_timeout = 2 }
}

resource "denobridge_resource" "thing" {
  path        = "../scripts/slow.ts"
  props       = { ms = var.ms, starts = true }
  permissions = { all = true }
}
