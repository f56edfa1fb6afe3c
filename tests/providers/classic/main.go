// A provider written with terraform-plugin-sdk, for tests of the bridge: what most providers of protocol 5 do, and whatever
// can go wrong on demand. What it manages are files in the folder that its configuration names.
//
// Its types begin with the name of its binary: `terraform-provider-x` has a resource `x_server`.
package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/terraform-plugin-sdk/v2/diag"
	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"github.com/hashicorp/terraform-plugin-sdk/v2/plugin"
)

func main() {
	plugin.Serve(&plugin.ServeOpts{ProviderFunc: provider})
}

// What types begin with.
func typeName() string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	name = strings.TrimPrefix(name, "terraform-provider-")
	name, _, _ = strings.Cut(name, "_v")
	return name
}

func provider() *schema.Provider {
	return &schema.Provider{
		Schema: map[string]*schema.Schema{
			"folder": {Type: schema.TypeString, Optional: true, Description: "Where objects are kept; nowhere if not set."},
			"token":  {Type: schema.TypeString, Optional: true, Sensitive: true},
			"region": {
				Type: schema.TypeString, Optional: true, DefaultFunc: schema.EnvDefaultFunc("TEST_PROVIDER_REGION", "here"),
			},
			"features": {
				Type: schema.TypeList, Optional: true, MaxItems: 1,
				Elem: &schema.Resource{Schema: map[string]*schema.Schema{
					"fast":  {Type: schema.TypeBool, Optional: true},
					"names": {Type: schema.TypeList, Optional: true, Elem: &schema.Schema{Type: schema.TypeString}},
				}},
			},
		},
		ResourcesMap: map[string]*schema.Resource{
			typeName() + "_server":   server(),
			typeName() + "_conflict": conflict(),
		},
		DataSourcesMap: map[string]*schema.Resource{
			typeName() + "_region": region(),
		},
		ConfigureContextFunc: func(_ context.Context, data *schema.ResourceData) (any, diag.Diagnostics) {
			return &settings{folder: data.Get("folder").(string), region: data.Get("region").(string)}, nil
		},
	}
}

// What resources are configured with.
type settings struct{ folder, region string }

func region() *schema.Resource {
	return &schema.Resource{
		Description: "Says where the provider works.",
		Schema: map[string]*schema.Schema{
			"name":   {Type: schema.TypeString, Computed: true},
			"prefix": {Type: schema.TypeString, Optional: true, Deprecated: "It is not needed."},
		},
		ReadContext: func(_ context.Context, data *schema.ResourceData, meta any) diag.Diagnostics {
			name := meta.(*settings).region
			data.SetId(name)
			return diag.FromErr(data.Set("name", data.Get("prefix").(string)+name))
		},
	}
}

// Either a name or the beginning of one, as many providers of clouds have it.
func conflict() *schema.Resource {
	return &schema.Resource{
		Schema: map[string]*schema.Schema{
			"name":        {Type: schema.TypeString, Optional: true, Computed: true, ForceNew: true, ConflictsWith: []string{"name_prefix"}},
			"name_prefix": {Type: schema.TypeString, Optional: true, ForceNew: true, ConflictsWith: []string{"name"}},
		},
		CreateContext: func(_ context.Context, data *schema.ResourceData, _ any) diag.Diagnostics {
			name := data.Get("name").(string)
			if prefix, given := data.GetOk("name_prefix"); given {
				name = prefix.(string) + "made-up"
			}
			data.SetId(name)
			return diag.FromErr(data.Set("name", name))
		},
		ReadContext:   schema.NoopContext,
		DeleteContext: schema.NoopContext,
	}
}
