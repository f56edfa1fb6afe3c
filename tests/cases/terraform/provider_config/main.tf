terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "region" { default = "eu" }
variable "token" {
  sensitive = true
  default   = "t1"
}

provider "denobridge" {
  config           = { region = var.region }
  sensitive_config = { token = var.token }
}

resource "denobridge_resource" "kept" {
  path        = "../scripts/configured.ts"
  permissions = { allow = ["write"] }
}

output "region" { value = denobridge_resource.kept.state.region }
