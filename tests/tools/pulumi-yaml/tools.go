//go:build tools

// Package tools pins Pulumi's YAML language host that the end-to-end tests run. `cargo xtask tools` builds it from here.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
