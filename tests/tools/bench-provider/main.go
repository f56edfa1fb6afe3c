// The provider that `cargo xtask bench framework` compares ours with: the same schema and the same work (none), written with
// terraform-plugin-framework. Its twin is bench/src/provider.rs; the bench refuses to compare two different schemas.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// How many types of things there are.
const thingTypes = 500

func main() {
	options := providerserver.ServeOpts{Address: "registry.terraform.io/denobridge/bench"}
	if err := providerserver.Serve(context.Background(), func() provider.Provider { return bench{} }, options); err != nil {
		log.Fatal(err)
	}
}

type bench struct{}

func (bench) Metadata(_ context.Context, _ provider.MetadataRequest, response *provider.MetadataResponse) {
	response.TypeName = "bench"
}

func (bench) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (bench) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (bench) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (bench) Resources(context.Context) []func() resource.Resource {
	resources := []func() resource.Resource{func() resource.Resource { return empty{} }}
	for number := range thingTypes {
		name := fmt.Sprintf("bench_thing_%03d", number)
		resources = append(resources, func() resource.Resource { return thing{name} })
	}
	return resources
}

// A resource without attributes: what is measured is everything around it.
type empty struct{}

type emptyModel struct{}

func (empty) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = "bench_empty"
}

func (empty) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{Description: "Nothing."}
}

func (empty) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var model emptyModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	response.Diagnostics.Append(response.State.Set(ctx, &model)...)
}

func (empty) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (empty) Update(context.Context, resource.UpdateRequest, *resource.UpdateResponse) {}

func (empty) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// A resource of ordinary size.
type thing struct{ name string }

type thingModel struct {
	ID          types.String   `tfsdk:"id"`
	Name        types.String   `tfsdk:"name"`
	Description types.String   `tfsdk:"description"`
	Size        types.Int64    `tfsdk:"size"`
	Enabled     types.Bool     `tfsdk:"enabled"`
	Ports       types.List     `tfsdk:"ports"`
	Members     types.Set      `tfsdk:"members"`
	Tags        types.Map      `tfsdk:"tags"`
	Endpoint    *endpointModel `tfsdk:"endpoint"`
}

type endpointModel struct {
	Host types.String `tfsdk:"host"`
	Port types.Int64  `tfsdk:"port"`
}

func (t thing) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = t.name
}

func (thing) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	response.Schema = schema.Schema{
		Description: "A thing.",
		Attributes: map[string]schema.Attribute{
			"id":          schema.StringAttribute{Computed: true, Description: "Identifies it.", PlanModifiers: keep},
			"name":        schema.StringAttribute{Required: true, Description: "What it is called."},
			"description": schema.StringAttribute{Optional: true, Description: "What it is for."},
			"size":        schema.Int64Attribute{Optional: true, Description: "How big it is."},
			"enabled":     schema.BoolAttribute{Optional: true, Description: "Whether it is in use."},
			"ports":       schema.ListAttribute{Optional: true, ElementType: types.Int64Type, Description: "Where it listens."},
			"members":     schema.SetAttribute{Optional: true, ElementType: types.StringType, Description: "Who belongs to it."},
			"tags":        schema.MapAttribute{Optional: true, ElementType: types.StringType, Description: "What is said of it."},
			"endpoint": schema.SingleNestedAttribute{
				Optional:    true,
				Description: "Where it is reached.",
				Attributes: map[string]schema.Attribute{
					"host": schema.StringAttribute{Required: true, Description: "Its name."},
					"port": schema.Int64Attribute{Optional: true, Description: "Its port."},
				},
			},
		},
	}
}

func (thing) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var model thingModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	model.ID = model.Name
	response.Diagnostics.Append(response.State.Set(ctx, &model)...)
}

func (thing) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	var model thingModel
	response.Diagnostics.Append(request.State.Get(ctx, &model)...)
	response.Diagnostics.Append(response.State.Set(ctx, &model)...)
}

func (thing) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var model thingModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	response.Diagnostics.Append(response.State.Set(ctx, &model)...)
}

func (thing) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
