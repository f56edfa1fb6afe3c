provider "x" { anything = { a = 1 } }

resource "x_thing" "it" {
  anything = [1, "two", { three = true }]
  inner    = { anything = "text" }
}

data "x_look" "it" { anything = { deep = [1] } }

output "looked" { value = data.x_look.it.same }
output "made" { value = x_thing.it.made }
output "called" { value = provider::x::same({ a = "b" }) }
