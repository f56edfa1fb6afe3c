# What scripts import, and where they may be.
terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "path" { default = "words.ts" }
variable "config_file" { default = null }
variable "allow" { default = [] }

data "denobridge_datasource" "words" {
  path        = var.path
  config_file = var.config_file
  permissions = { allow = var.allow }
  props       = { name = "you" }
}

module "inner" {
  source = "./module"
}

output "words" { value = data.denobridge_datasource.words.result }
output "inner" { value = module.inner.words }
