resource "x_thing" "first" { name = "first" }

provider "x" {
  alias = "second"
  token = x_thing.first.id
}

resource "x_thing" "second" {
  provider = x.second
  name     = "second"
}

data "x_look" "it" { provider = x.second }

output "looked" { value = data.x_look.it.a }
