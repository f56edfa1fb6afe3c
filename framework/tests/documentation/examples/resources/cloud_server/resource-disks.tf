# With disks.
resource "cloud_server" "database" {
  name  = "database"
  tags  = ["database"]
  disks = [{ gigabytes = 100 }]

  rule {
    port = 5432
  }
}
