terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "secret" {
  sensitive = true
  default   = "one-that-stays"
}
variable "lease" {
  type    = any
  default = {}
}
variable "slow" { default = 0 }

ephemeral "denobridge_ephemeral_resource" "token" {
  path        = "../scripts/lease.ts"
  props       = merge({ secret = var.secret }, var.lease)
  permissions = { allow = ["write", "env"] }
}

# Takes the token, and keeps only how long it is.
resource "denobridge_resource" "user" {
  path             = "../scripts/record.ts"
  props            = { file = "user.json" }
  write_only_props = { password = ephemeral.denobridge_ephemeral_resource.token.sensitive_result.token }
  permissions      = { allow = ["read", "write", "env"] }
}

# Keeps the token open while it is made.
resource "denobridge_resource" "slow" {
  count            = var.slow > 0 ? 1 : 0
  path             = "../scripts/slow.ts"
  props            = { ms = var.slow }
  write_only_props = { password = ephemeral.denobridge_ephemeral_resource.token.sensitive_result.token }
  permissions      = { allow = ["write"] }
}
