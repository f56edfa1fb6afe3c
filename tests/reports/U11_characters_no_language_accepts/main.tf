resource "x_thing" "it" {
  odd = {
    "with-dash" = "a", "6qi" = "b", "é" = "c",
    l_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_ong_name = "d"
  }
}
