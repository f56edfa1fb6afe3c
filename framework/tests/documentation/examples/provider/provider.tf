provider "cloud" {
  token = var.token
}
