resource "x_thing" "it" {
  anything = null
}
