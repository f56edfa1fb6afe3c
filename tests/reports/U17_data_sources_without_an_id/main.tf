data "x_look_with" "it" {}
data "x_look_without" "it" { a = "a" }
output "with" { value = data.x_look_with.it }
output "without" { value = data.x_look_without.it }
