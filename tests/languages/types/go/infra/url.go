//go:build url

// Refused: Url
package types

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"denobridge.test/infra"
)

func url(ctx *pulumi.Context) {
	_, _ = infra.NewBucket(ctx, "url", &infra.BucketArgs{Url: pulumi.String("disk://a")})
}
