terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
    everything = { source = "denobridge/everything" }
  }
}

# What is in the provider's configuration and marked there is what every other position is tried with: who sees none of it
# anywhere has it from nowhere.
variable "token" { sensitive = true }
variable "password" { ephemeral = true }
variable "fails" { default = "nothing" }
variable "missing" { default = false }

provider "denobridge" {
  sensitive_config = { token = var.token }
}

provider "everything" {
  endpoint = "https://${var.token}@example.org"
  token    = var.token
  folder   = "objects"
}

# Its id is made of its name.
resource "everything_life" "named" {
  name                = var.token
  note                = "a note on ${var.token}"
  password_wo         = var.password
  password_wo_version = 1
}

resource "everything_everything" "all" {
  secret   = "canary-sensitive"
  text     = "a text with ${var.token} in it"
  texts    = ["a list", "with ${var.token} and canary-sensitive"]
  labels   = { (var.token) = "as a key", value = base64encode(var.token) }
  pair     = { left = var.token, right = 1 }
  pairs    = { (var.token) = { left = "canary-sensitive", right = 2 } }
  anything = { password = "canary-by-its-name", plain = "canary-sensitive", deep = [{ (var.token) = var.token }] }

  nested_single = { name = "single", secret = "canary-in-single" }
  nested_list   = [{ name = "list", secret = "canary-in-list" }]
  nested_set    = [{ name = "set", secret = "canary-in-set" }]
  nested_map    = { map = { name = "map", secret = "canary-in-map" }, (var.token) = { name = var.token } }

  listener {
    port  = 1
    paths = ["/${var.token}"]
    option {
      key   = "header"
      value = "canary-sensitive"
    }
  }
}

data "everything_lookup" "secret" {
  name       = var.missing ? "not ${var.token}" : var.token
  depends_on = [everything_life.named]
}

ephemeral "everything_token" "own" {
  owner = var.token
}

data "denobridge_datasource" "leaks" {
  path  = "../scripts/leaks.ts"
  props = { kind = "data source", password = "canary-by-its-name" }
}

ephemeral "denobridge_ephemeral_resource" "leaks" {
  path  = "../scripts/leaks.ts"
  props = { kind = "ephemeral resource", echoes = var.token }
}

resource "denobridge_resource" "leaks" {
  path             = "../scripts/leaks.ts"
  props            = { fails = var.fails, told = var.token }
  write_only_props = { password = var.password }
}

resource "denobridge_resource" "spills" {
  path        = "../scripts/spills.ts"
  permissions = { allow = ["read"] }
}
