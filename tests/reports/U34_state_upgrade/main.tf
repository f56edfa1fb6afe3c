resource "x_thing" "it" {
  title = "mine"
  big   = 9007199254740991
  part { a = "1" }
}
