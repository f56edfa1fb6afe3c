resource "x_thing" "it" {
  given = file("large.txt")
}

output "made" {
  value = length(x_thing.it.made)
}
