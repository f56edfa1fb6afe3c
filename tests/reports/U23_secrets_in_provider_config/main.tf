provider "x" { login = { user = "u", password = "canary-1" } }

resource "x_thing" "default" { name = "default" }
