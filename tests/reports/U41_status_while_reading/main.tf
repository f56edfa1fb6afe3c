resource "x_thing" "it" { name = "n" }
