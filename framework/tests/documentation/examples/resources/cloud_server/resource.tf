resource "cloud_server" "web" {
  name = "web"
  tags = ["web"]

  rule {
    port = 443
  }
}
