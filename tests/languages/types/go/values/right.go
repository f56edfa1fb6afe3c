// Package types says of a property in Go what its schema says.
package types

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"denobridge.test/values"
)

// Right is right.
func Right(ctx *pulumi.Context) (pulumi.Float64Output, error) {
	setting, err := values.NewSetting(ctx, "right", &values.SettingArgs{
		Level:  values.SettingLevelLow,
		Source: pulumi.StringArray{pulumi.String("a"), pulumi.String("b")},
		Place:  pulumi.StringMap{"city": pulumi.String("Utrecht")},
		Colour: pulumi.String("green"),
		Token:  pulumi.String("secret"),
		Ratio:  pulumi.Float64(0.5),
		Members: values.SettingMembersArray{values.SettingMembersArgs{
			Name: pulumi.String("first"),
			Mode: values.SettingMembersMode_Read_Write,
		}},
	})
	if err != nil {
		return pulumi.Float64Output{}, err
	}
	return setting.Size, nil
}
