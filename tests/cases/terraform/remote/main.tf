# Scripts of the HTTP contract that run on another machine.
terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "host" {}
variable "token" { sensitive = true }
variable "content" { default = "one" }
variable "path" { default = "a.txt" }

provider "denobridge" {
  remote = { url = "${var.host}/scripts/", token = var.token }
}

resource "denobridge_resource" "file" {
  path  = "${var.host}/scripts/served"
  props = { path = var.path, content = var.content }
}

data "denobridge_datasource" "length" {
  path  = "${var.host}/scripts/served"
  props = { text = "four" }
}

ephemeral "denobridge_ephemeral_resource" "lease" {
  path  = "${var.host}/scripts/served"
  props = {}
}

output "state" { value = denobridge_resource.file.state }
output "result" { value = data.denobridge_datasource.length.result }
