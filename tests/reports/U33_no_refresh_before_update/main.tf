resource "x_thing" "it" {}
