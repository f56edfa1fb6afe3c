terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

resource "denobridge_resource" "echo" {
  path  = "../scripts/echo.ts"
  props = { a = 1 }
}

output "state" { value = denobridge_resource.echo.state }
