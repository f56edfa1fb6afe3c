resource "x_named" "it" { id = "mine" }
resource "x_numbered" "given" { id = 7 }
resource "x_numbered" "made" {}
resource "x_without" "it" { name = "n" }
resource "x_taken" "it" {
  id          = "mine"
  taken_id    = "a"
  resource_id = "b"
  x_id        = "c"
}
