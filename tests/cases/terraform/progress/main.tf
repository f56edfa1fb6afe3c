terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

resource "denobridge_resource" "print" {
  path        = "../scripts/press.ts"
  props       = { pages = 3 }
  permissions = { allow = ["write"] }
}
