//go:build tools

// Package tools pins a native Go provider: a foreign provider in tests, a yardstick in benches. `cargo xtask tools` builds it.
package tools

import _ "github.com/hashicorp/terraform-provider-time"
