resource "x_thing" "it" {
  display_name = "n"
  network_rule { port_range = "1-2" }
}
