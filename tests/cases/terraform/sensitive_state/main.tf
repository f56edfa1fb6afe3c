terraform {
  required_providers {
    denobridge = { source = "brad-jones/denobridge" }
  }
}

resource "denobridge_resource" "record" {
  path        = "../scripts/record.ts"
  props       = { file = "record.json", value = 1, secret = "canary-7d1f" }
  permissions = { allow = ["read", "write", "env=RECORD_TRACE"] }
}

output "token" {
  value     = denobridge_resource.record.sensitive_state.token
  sensitive = true
}
