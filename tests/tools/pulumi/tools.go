//go:build tools

// Package tools pins the Pulumi CLI that the end-to-end tests run. `cargo xtask tools` builds it from here.
package tools

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
