//go:build tools

// Package tools pins the OpenTofu that `cargo xtask compat --opentofu` runs, which builds it from here.
package tools

import _ "github.com/opentofu/opentofu/cmd/tofu"
