terraform {
  integrations {
    integration "a" {
      command = [var.program]
    }
  }
}
