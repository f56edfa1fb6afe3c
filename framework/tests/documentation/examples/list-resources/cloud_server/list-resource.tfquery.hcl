list "cloud_server" "all" {
  provider = cloud

  config {
    region = "north"
  }
}
