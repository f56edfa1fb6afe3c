//go:build access

// Refused: Access
package types

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"

	"denobridge.test/infra"
)

func access(ctx *pulumi.Context) {
	_, _ = infra.NewBucket(ctx, "access", &infra.BucketArgs{Access: pulumi.Int(1)})
}
