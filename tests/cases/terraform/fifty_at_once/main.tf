terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

resource "denobridge_resource" "record" {
  count       = 50
  path        = "../scripts/record.ts"
  props       = { file = "records/${count.index}.json", value = count.index }
  permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
}
