resource "x_thing" "it" {
  name = "n"
  part { a = "1" }
}
data "x_look" "it" {}
output "found" { value = data.x_look.it.a }
