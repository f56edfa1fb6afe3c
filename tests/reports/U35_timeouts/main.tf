resource "x_block" "none" { name = "none" }
resource "x_block" "part" {
  name = "part"
  timeouts { create = "1m" }
}
resource "x_block" "full" {
  name = "full"
  timeouts {
    create = "1m"
    delete = "2m"
  }
}
resource "x_attribute" "none" { name = "none" }
resource "x_attribute" "part" {
  name     = "part"
  timeouts = { create = "1m" }
}
resource "x_attribute" "full" {
  name     = "full"
  timeouts = { create = "1m", delete = "2m" }
}
