// A provider written with terraform-plugin-framework, for tests of the bridge: every kind of attribute, block and component,
// and whatever can go wrong on demand. What it manages are files in the folder that its configuration names.
//
// Its types begin with the name of its binary: `terraform-provider-x` has a resource `x_life`.
package main

import (
	"context"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func main() {
	options := providerserver.ServeOpts{Address: "registry.terraform.io/denobridge/" + typeName()}
	if os.Getenv("TEST_PROVIDER_PROTOCOL") == "5" {
		log.Fatal("nested attributes and dynamic types in collections need protocol 6")
	}
	if err := providerserver.Serve(context.Background(), func() provider.Provider { return &testProvider{} }, options); err != nil {
		log.Fatal(err)
	}
}

// What types begin with.
func typeName() string {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	name = strings.TrimPrefix(name, "terraform-provider-")
	name, _, _ = strings.Cut(name, "_v")
	return name
}

type testProvider struct{}

type settingsModel struct {
	Endpoint types.String   `tfsdk:"endpoint"`
	Token    types.String   `tfsdk:"token"`
	Folder   types.String   `tfsdk:"folder"`
	Tags     types.List     `tfsdk:"tags"`
	Nested   *nestedSetting `tfsdk:"nested"`
}

type nestedSetting struct {
	Field1 types.String `tfsdk:"field1"`
	Field2 types.Bool   `tfsdk:"field2"`
}

// What components are configured with.
type settings struct {
	endpoint string
	store    store
}

func (*testProvider) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = typeName()
}

func (*testProvider) Schema(_ context.Context, _ provider.SchemaRequest, response *provider.SchemaResponse) {
	response.Schema = schema.Schema{
		Description: "Everything that a bridge must carry.",
		Attributes: map[string]schema.Attribute{
			"endpoint": schema.StringAttribute{Optional: true, Description: "Given back by the data source `config`."},
			"token":    schema.StringAttribute{Optional: true, Sensitive: true, Description: "A secret."},
			"folder":   schema.StringAttribute{Optional: true, Description: "Where objects are kept; nowhere if not set."},
			"tags":     schema.ListAttribute{ElementType: types.StringType, Optional: true},
		},
		Blocks: map[string]schema.Block{
			"nested": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{
				"field1": schema.StringAttribute{Optional: true},
				"field2": schema.BoolAttribute{Optional: true},
			}},
		},
	}
}

func (*testProvider) Configure(ctx context.Context, request provider.ConfigureRequest, response *provider.ConfigureResponse) {
	var model settingsModel
	response.Diagnostics.Append(request.Config.Get(ctx, &model)...)
	if model.Endpoint.ValueString() == "refused" {
		response.Diagnostics.AddError("The endpoint refuses", "Nothing can be had from it.")
		return
	}
	configured := &settings{endpoint: model.Endpoint.ValueString(), store: store{model.Folder.ValueString()}}
	response.ResourceData = configured
	response.DataSourceData = configured
	response.EphemeralResourceData = configured
	response.ActionData = configured
	response.ListResourceData = configured
}

func (*testProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return &primitive{} },
		func() resource.Resource { return &everything{} },
		func() resource.Resource { return &life{} },
	}
}

func (*testProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		func() datasource.DataSource { return &configData{} },
		func() datasource.DataSource { return &lookup{} },
	}
}

func (*testProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{func() ephemeral.EphemeralResource { return &token{} }}
}

func (*testProvider) Functions(context.Context) []func() function.Function {
	return []func() function.Function{
		func() function.Function { return echoUpper{} },
		func() function.Function { return joinAll{} },
		func() function.Function { return describe{} },
	}
}

func (*testProvider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{func() action.Action { return &notify{} }}
}

func (*testProvider) ListResources(context.Context) []func() list.ListResource {
	return []func() list.ListResource{func() list.ListResource { return &lifeList{} }}
}

// The data that a component is configured with, which is absent while the provider is not configured.
func configured(data any) *settings {
	if configured, ok := data.(*settings); ok {
		return configured
	}
	return &settings{}
}
