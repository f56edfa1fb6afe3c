terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "deno" { default = null }
variable "path" { default = "../scripts/echo.ts" }
variable "allow" {
  type    = list(string)
  default = null
}

provider "denobridge" {
  deno_binary_path = var.deno
}

resource "denobridge_resource" "echo" {
  path        = var.path
  permissions = { allow = var.allow }
}
