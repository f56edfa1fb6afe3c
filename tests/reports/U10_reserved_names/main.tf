provider "x" {
  urn    = "c-urn"
  pulumi = "c-pulumi"
  id     = "c-id"
  parent = "c-parent"
  opts   = "c-opts"
}

resource "x_thing" "it" {
  name     = "it"
  urn      = "1"
  pulumi   = "2"
  __meta__ = "3"
  version  = "4"
  parent   = "5"
  opts     = "6"
  inner = {
    id = "i-id", urn = "i-urn", __meta__ = "i-meta", version = "i-version", provider = "i-provider",
    parent = "i-parent", opts = "i-opts", pulumi = "i-pulumi"
  }
}
