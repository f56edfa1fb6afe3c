terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

# A module names its own scripts by its own folder; another path starts from the working directory.
data "denobridge_datasource" "words" {
  path  = "${path.module}/a script.ts"
  props = { name = "module" }
}

output "words" { value = data.denobridge_datasource.words.result }
