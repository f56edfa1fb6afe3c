terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

# Does not count: functions run before the provider is configured.
provider "denobridge" {
  deno_binary_path = "/nonexistent/deno"
}

variable "function" { default = "slug" }
variable "argument" {
  type    = any
  default = "Grüße, World!"
}
variable "script" { default = "../scripts/functions.ts" }

resource "terraform_data" "late" {
  input = provider::denobridge::call("../scripts/functions.ts", "slug", "Some Name")
}

output "values" {
  value = provider::denobridge::call(
    "../scripts/functions.ts", "echo", null, 1.5, true, ["a", "b"], [1, "a"], { a = { b = null } }, toset(["y", "x"]), [], {},
  )
}
output "none" { value = provider::denobridge::call("../scripts/functions.ts", "count") }
output "nothing" { value = provider::denobridge::call("../scripts/functions.ts", "nothing") == null }
output "later" { value = provider::denobridge::call("../scripts/functions.ts", "slug", "${terraform_data.late.id}!") != "" }
output "called" { value = provider::denobridge::call(var.script, var.function, var.argument) }
