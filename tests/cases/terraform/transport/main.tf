# How scripts are spoken to: what the provider says of all of them, and a component of its own.
terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

variable "all" { default = null }
variable "served" { default = null }
variable "props" {
  type    = any
  default = null
}

provider "denobridge" {
  transport = var.all
}

# Says which props it gets.
data "denobridge_datasource" "served" {
  path      = "../scripts/served_echo.ts"
  transport = var.served
  props     = var.props
}

# The same over standard input and output.
data "denobridge_datasource" "spoken" {
  path      = "../scripts/answers.ts"
  transport = "jsonrpc"
  props     = var.props
}

output "served" { value = data.denobridge_datasource.served.result }
output "spoken" { value = data.denobridge_datasource.spoken.result }
