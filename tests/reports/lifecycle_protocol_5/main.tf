provider "x" {
  region = "north"
  login { token = "t0ken" }
}

resource "x_thing" "all" {
  name     = "all"
  size     = 2
  on       = true
  tags     = { a = "1", "b c" = "2" }
  ports    = [80, 443]
  zones    = ["b", "a"]
  secret   = "hush"
  password = "pass"
  rule {
    a = "r1"
    deep { n = 1 }
  }
  rule { a = "r2" }
  disk { a = "d2" }
  disk { a = "d1" }
  only { a = "o" }
}

resource "x_thing" "least" {
  name = "least"
}

data "x_look" "it" {
  name = x_thing.all.name
}

output "looked" { value = data.x_look.it.upper }
