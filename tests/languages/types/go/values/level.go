//go:build level

// Refused: Level
package types

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"denobridge.test/values"
)

func level(ctx *pulumi.Context) {
	_, _ = values.NewSetting(ctx, "level", &values.SettingArgs{Level: pulumi.Int(1)})
}
