resource "x_thing" "it" {
  foo_bar  = "1"
  foo__bar = "2"
  rule     = { a = "3" }
  rules    = ["4"]
  inner    = { foo_bar = "5", fooBar = "6" }
  part {
    a_b  = "7"
    a__b = "8"
  }
}
