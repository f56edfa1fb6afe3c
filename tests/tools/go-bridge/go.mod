module denobridge.test/tools/go-bridge

go 1.26.6

require github.com/pulumi/pulumi-terraform-bridge/v3 v3.120.0

// The replacement that the bridge's own module makes; a main module must repeat it.
replace github.com/hashicorp/terraform-plugin-sdk/v2 => github.com/pulumi/terraform-plugin-sdk/v2 v2.0.0-20250923233607-7f1981c8674a
