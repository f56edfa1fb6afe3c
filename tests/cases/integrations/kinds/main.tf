terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "looked_for" { default = "servers" }
variable "owner" { default = "ada" }

data "denobridge_datasource" "found" {
  path  = "../scripts/lookup.ts"
  props = { kind = var.looked_for }
}

ephemeral "denobridge_ephemeral_resource" "lease" {
  path        = "../scripts/lease.ts"
  props       = { secret = "ada", owner = var.owner, of = data.denobridge_datasource.found.result.props.kind }
  permissions = { allow = ["write", "env"] }
}

resource "denobridge_resource" "user" {
  path             = "../scripts/record.ts"
  props            = { file = "user.json", value = data.denobridge_datasource.found.result.props.kind }
  write_only_props = { password = ephemeral.denobridge_ephemeral_resource.lease.sensitive_result.token }
  permissions      = { allow = ["read", "write", "env"] }
}
