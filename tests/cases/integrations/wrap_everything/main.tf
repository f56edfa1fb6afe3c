terraform {
  required_providers {
    everything = { source = "denobridge/everything" }
  }
}

variable "size" { default = 1 }
variable "note" { default = "" }
variable "owner" { default = "ada" }

provider "everything" {
  folder = "objects"
  token  = "canary-of-the-provider"
}

ephemeral "everything_token" "own" {
  owner = var.owner
}

resource "everything_life" "one" {
  name                = "one"
  size                = var.size
  password_wo         = ephemeral.everything_token.own.value
  password_wo_version = 1
}

# Looked at once it is there.
data "everything_lookup" "one" {
  name       = "one"
  former     = var.note
  depends_on = [everything_life.one]
}

output "shouted" { value = provider::everything::echo_upper("done") }
output "size" { value = data.everything_lookup.one.size }
