terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
    infra      = { source = "acme/infra" }
  }
}

provider "denobridge" {
  config = { root = "data" }
}

provider "infra" {
  root        = "data"
  permissions = { all = true }
}

resource "denobridge_resource" "assets" {
  path        = "infra/bucket.ts"
  permissions = { allow = ["read", "write"] }
  props = {
    name    = "our-assets"
    access  = "private"
    maxSize = 1024
    rules   = [{ prefix = "tmp/", days = 7 }]
    website = { index = "index.html" }
  }
}

resource "denobridge_resource" "people" {
  path             = "infra/database.ts"
  permissions      = { allow = ["read", "write"] }
  props            = { name = "people", owner = "admin" }
  write_only_props = { password = "correct horse" }
}

output "assets" {
  value = denobridge_resource.assets.state.url
}
