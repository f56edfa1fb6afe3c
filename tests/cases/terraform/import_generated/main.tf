terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

import {
  to = denobridge_resource.record
  id = jsonencode({
    id          = "record.json"
    path        = "../scripts/record.ts"
    permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
  })
}
