terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "how" {}

provider "denobridge" {
  limits = { max_message_bytes = 10000 }
}

resource "denobridge_resource" "thing" {
  path  = "../scripts/misbehaves.ts"
  props = { how = var.how }
}
