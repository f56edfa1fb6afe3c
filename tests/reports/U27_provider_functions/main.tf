output "none" { value = provider::x::none() }
output "one" { value = provider::x::one("a") }
output "two" { value = provider::x::two("a", 1) }
output "any" { value = provider::x::any("a", 1, "b", [true]) }
output "middle" { value = provider::x::middle("a", null, "c") }
output "pair" { value = provider::x::pair(["a", 1]) }
