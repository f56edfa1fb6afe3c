terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "api" {
  description = "The DNS host's address, such as that of `deno run --allow-net=127.0.0.1 host.ts`."
  default     = "http://127.0.0.1:8053"
}

variable "token" {
  sensitive = true
}

variable "address" {
  default = "192.0.2.1"
}

# What all scripts are told once. Another token changes no record.
provider "denobridge" {
  config           = { api = var.api }
  sensitive_config = { token = var.token }
}

locals {
  # The scripts may talk to the host, and do nothing else.
  permissions = { allow = ["net=${trimprefix(var.api, "http://")}"] }
}

resource "denobridge_resource" "www" {
  path        = "${path.module}/record.ts"
  permissions = local.permissions
  props = {
    zone  = "example.org"
    name  = provider::denobridge::call("${path.module}/names.ts", "label", "WWW")
    type  = "A"
    value = var.address
  }
}

data "denobridge_datasource" "zone" {
  path        = "${path.module}/zone.ts"
  permissions = local.permissions
  props       = { zone = "example.org" }
  depends_on  = [denobridge_resource.www]
}

# For another provider's configuration or a write-only attribute.
ephemeral "denobridge_ephemeral_resource" "session" {
  path        = "${path.module}/session.ts"
  permissions = local.permissions
  props       = { zone = "example.org" }
}

output "name" {
  value = denobridge_resource.www.state.fqdn
}

output "reverse" {
  value = provider::denobridge::call("${path.module}/names.ts", "reverse", var.address)
}

output "records" {
  value = [for record in data.denobridge_datasource.zone.result.records : "${record.name} ${record.value}"]
}

# From Terraform 1.14 on, in the resource's `lifecycle`: action_trigger { events = [after_update], actions = [action.denobridge_action.flush] }
#
# action "denobridge_action" "flush" {
#   config {
#     path        = "${path.module}/flush.ts"
#     permissions = local.permissions
#     props       = { zone = "example.org", servers = ["ns1", "ns2"] }
#   }
# }
