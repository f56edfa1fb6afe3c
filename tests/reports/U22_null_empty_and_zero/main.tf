resource "x_thing" "it" {
  text_empty    = ""
  number_zero   = 0
  bool_false    = false
  list_empty    = []
  list_of_null  = [null, "a"]
  list_of_empty = ["", "a"]
  set_empty     = []
  map_empty     = {}
  map_of_null   = { a = null, b = "" }
  object_empty  = {}
  objects_empty = []
}
