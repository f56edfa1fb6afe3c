resource "x_thing" "it" {
  name = "unique"
  kind = "small"
}
output "serial" { value = x_thing.it.serial }
