resource "x_thing" "it" {
  rules = [{ name = "a" }, { name = "b", value = 1 }, { name = "c", value = ["x", { y = true }] }]
}
