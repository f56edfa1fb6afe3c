// Package types uses what the scripts of examples/infra say of themselves.
package types

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"denobridge.test/infra"
)

// Right does what the programs in other languages do.
func Right(ctx *pulumi.Context) error {
	provider, err := infra.NewProvider(ctx, "infra", &infra.ProviderArgs{
		Root:        pulumi.String("data"),
		Permissions: infra.ProviderPermissionsArgs{Allow: pulumi.ToStringArray([]string{"read", "write"})},
	})
	if err != nil {
		return err
	}
	own := pulumi.Provider(provider)
	lock := infra.OpenLockOutput(ctx, infra.OpenLockOutputArgs{Name: pulumi.String("deployment")}, own)
	zone := infra.GetZoneOutput(ctx, infra.GetZoneOutputArgs{Name: pulumi.String("example.org")}, own)
	assets, err := infra.NewBucket(ctx, "assets", &infra.BucketArgs{
		Name:    infra.LabelOutput(ctx, pulumi.String("Our Assets"), own).Result(),
		Access:  infra.BucketAccessPrivate,
		MaxSize: pulumi.Int(1024),
		Rules:   infra.BucketRulesArray{infra.BucketRulesArgs{Prefix: pulumi.String("tmp/"), Days: pulumi.Int(7)}},
		Website: pulumi.StringMap{"index": pulumi.String("index.html")},
		Tags:    pulumi.StringMap{"team": pulumi.String("web")},
	}, own)
	if err != nil {
		return err
	}
	people, err := infra.NewDatabase(ctx, "people", &infra.DatabaseArgs{
		Name:     pulumi.String("people"),
		Password: pulumi.String("correct horse"),
	}, own, pulumi.DependsOn([]pulumi.Resource{assets}))
	if err != nil {
		return err
	}
	_, err = infra.NewNotifyAction(ctx, "told", &infra.NotifyActionArgs{
		Message:  pulumi.Sprintf("%s is there", assets.Url),
		Triggers: pulumi.Array{assets.Url},
	}, own)
	ctx.Export("url", assets.Url)
	ctx.Export("key", people.Key)
	ctx.Export("first", zone.Records().Index(pulumi.Int(0)).Value())
	ctx.Export("token", lock.Token())
	return err
}
