terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

locals {
  odd = {
    empty_object = {}
    names        = { "__proto__" = { a = 1 }, constructor = "x", "" = "no name", "a.b[0]" = "path" }
    numbers      = { large = 9007199254740993, long = 123456789012345678901234567890, exact = 0.1000000000000000000001 }
    computed     = { rest = 1 - 0.99, third = 1 / 3, eighth = 1 / 8, rounded = floor(123456789 / pow(1024, 3) * 1000) / 1000 }
    mixed        = ["a", 1, true, null, [], {}, [[1], ["a"]]]
    typed        = { set = toset(["b", "a"]), map = tomap({ x = 1 }), list = tolist(["a"]), none = tolist([]) }
    nulls        = { nothing = null, inner = { nothing = null } }
    text         = { decomposed = "e\u0301", "e\u0301" = "name", zero = "a\u0000b", lines = "a\r\nb\u2028c" }
    no_object    = ["just", "a", 1]
    just_text    = "text"
    just_number  = 3
    just_bool    = false
    long         = { text = join("", [for _ in range(50) : join("", [for _ in range(100) : "0123456789"])]) }
  }
}

# Everything comes back as it was and as state too.
resource "denobridge_resource" "odd" {
  for_each = local.odd
  path     = "../scripts/echo.ts"
  props    = each.value
}

resource "denobridge_resource" "nothing" {
  path = "../scripts/echo.ts"
}
