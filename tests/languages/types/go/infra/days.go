//go:build days

// Refused: Days
package types

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"denobridge.test/infra"
)

func days(ctx *pulumi.Context) {
	_, _ = infra.NewBucket(ctx, "days", &infra.BucketArgs{
		Rules: infra.BucketRulesArray{infra.BucketRulesArgs{
			Days: pulumi.String("soon"),
		}},
	})
}
