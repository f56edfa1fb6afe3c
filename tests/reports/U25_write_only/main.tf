resource "x_thing" "it" {
  password         = "hunter2"
  password_version = 1
}
