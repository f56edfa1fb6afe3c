//go:build tools

// Package languages pins what SDKs for Go import: `cargo xtask languages` puts this module's versions and sums into theirs.
package languages

import (
	_ "github.com/blang/semver"
	_ "github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
	_ "github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"
)
