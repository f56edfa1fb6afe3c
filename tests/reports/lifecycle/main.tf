provider "x" {
  region = "north"
  token  = "t0ken"
}

resource "x_thing" "all" {
  name     = "all"
  size     = 2
  on       = true
  tags     = { a = "1", "b c" = "2" }
  ports    = [80, 443]
  zones    = ["b", "a"]
  pair     = ["x", 1]
  owner    = { first_name = "Ann", age = 40 }
  anything = { deep = [1, "two", true] }
  secret   = "hush"
  password = "pass"
  one      = { a = "x" }
  several  = [{ a = "x", b = "y" }, { a = "z" }]
  some     = [{ a = "x" }, { a = "w", b = "v" }]
  named    = { first = { a = "1" } }
  single { a = "s" }
  group { a = "g" }
  rule {
    a = "r1"
    deep { n = 1 }
  }
  rule { a = "r2" }
  disk { a = "d2" }
  disk { a = "d1" }
  label "l" { a = "1" }
  only { a = "o" }
}

resource "x_thing" "least" {
  name = "least"
}

data "x_look" "it" {
  name = x_thing.all.name
}

output "looked" { value = data.x_look.it.upper }
output "joined" { value = provider::x::join("a", "b", "c") }
