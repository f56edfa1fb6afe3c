//go:build tools

// Package tools pins Pulumi's language host for Java, whose generator `cargo xtask languages` uses. It is older than the other
// tools: newer releases are not to be had as Go modules everywhere.
package tools

import _ "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java"
