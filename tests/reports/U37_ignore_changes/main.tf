resource "x_thing" "it" {
  names = ["a"]
  lifecycle { ignore_changes = [names[1]] }
}
