terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "answer" { default = "{}" }
variable "late" { default = "x" }

resource "terraform_data" "late" {
  input = var.late
}

# What a script gets for every kind of value.
data "denobridge_datasource" "sent" {
  path = "../scripts/lookup.ts"
  props = {
    text    = "a \"b\" <c> & é\n"
    int     = 42
    decimal = 0.1
    exact   = 0.10000000000000000001
    big     = 9007199254740993
    exp     = 1e21
    yes     = true
    none    = null
    list    = tolist(["p", "q"])
    tuple   = ["x", 1, false, null]
    set     = toset(["b", "a"])
    map     = tomap({ k = "v" })
    empty   = { list = [], object = {} }
    deep    = { a = [{ b = 1 }, { c = "2" }] }
  }
}

# What becomes of what a script answers.
data "denobridge_datasource" "answered" {
  path  = "../scripts/lookup.ts"
  props = { answer = var.answer }
}

# Not known before apply.
data "denobridge_datasource" "late" {
  path  = "../scripts/lookup.ts"
  props = { value = terraform_data.late.id != "" ? terraform_data.late.output : "" }
}

# The script gets {}, may do nothing, and needs no more.
data "denobridge_datasource" "bare" {
  path = "../scripts/lookup.ts"
}

output "bare" { value = data.denobridge_datasource.bare.result }
output "late" { value = data.denobridge_datasource.late.result }
