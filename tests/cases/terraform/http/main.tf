# A configuration and a script for the older contract, in which scripts are served over HTTP.
terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

provider "denobridge" {
  config           = { region = "eu" }
  sensitive_config = { token = "canary" }
}

variable "content" { default = "one" }
variable "path" { default = "a.txt" }

resource "denobridge_resource" "file" {
  path        = "../scripts/served.ts"
  permissions = { allow = ["read", "write"] }
  props       = { path = var.path, content = var.content }
}

data "denobridge_datasource" "length" {
  path  = "../scripts/served.ts"
  props = { text = "four" }
}

# Written for that contract and for a provider that has a configuration.
data "denobridge_datasource" "configured" {
  path  = "../scripts/served_configured.ts"
  props = {}
}

ephemeral "denobridge_ephemeral_resource" "lease" {
  path  = "../scripts/served.ts"
  props = {}
}

output "state" { value = denobridge_resource.file.state }
output "configured" { value = data.denobridge_datasource.configured.result }
output "result" { value = data.denobridge_datasource.length.result }
