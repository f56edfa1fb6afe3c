//go:build tools

// Package tools pins the Go bridge that benches compare with. `cargo xtask tools --peers` builds it from here.
package tools

import _ "github.com/pulumi/pulumi-terraform-bridge/v3/dynamic"
