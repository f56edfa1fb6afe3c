terraform {
  required_providers {
    infra = { source = "acme/infra" }
  }
}

variable "name" {
  default = "Our Assets"
}

variable "max_size" {
  default = 1024
}

provider "infra" {
  root        = "data"
  permissions = { allow = ["read", "write"] }
}

resource "infra_bucket" "assets" {
  name     = provider::infra::label(var.name)
  max_size = var.max_size
  rules    = [{ prefix = "tmp/", days = 7 }]
  website  = { index = "index.html" }
  tags     = { team = "web" }
}

data "infra_zone" "example" {
  name = "example.org"
}

ephemeral "infra_lock" "deployment" {
  name = "deployment"
}

resource "infra_database" "people" {
  name       = "people"
  password   = "correct horse"
  # Made and told of after the bucket.
  depends_on = [infra_bucket.assets]
}

output "url" {
  value = infra_bucket.assets.url
}

output "first" {
  value = data.infra_zone.example.records[0].value
}

output "labels" {
  value = provider::infra::labels("www.example.org")
}
