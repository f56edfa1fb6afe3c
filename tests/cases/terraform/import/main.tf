terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

resource "denobridge_resource" "record" {
  path        = "../scripts/record.ts"
  props       = { file = "record.json", value = "by hand" }
  permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
}
