resource "x_thing" "it" {
  base_32_string_seed = "a"
  rfc_4180            = "b"
  a1_b                = "c"
  a_1b                = "d"
}
