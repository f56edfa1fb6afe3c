package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Says what the provider was configured with.
type configData struct{ settings *settings }

func (*configData) Metadata(_ context.Context, _ datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = typeName() + "_config_endpoint"
}

func (*configData) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = schema.Schema{Attributes: map[string]schema.Attribute{"endpoint": schema.StringAttribute{Computed: true}}}
}

func (d *configData) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	d.settings = configured(request.ProviderData)
}

func (d *configData) Read(ctx context.Context, _ datasource.ReadRequest, response *datasource.ReadResponse) {
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("endpoint"), d.settings.endpoint)...)
}

// Looks at an object of the folder.
type lookup struct{ settings *settings }

type lookupModel struct {
	Name   types.String `tfsdk:"name"`
	Former types.String `tfsdk:"former"`
	Note   types.String `tfsdk:"note"`
	Size   types.Int64  `tfsdk:"size"`
	Secret types.String `tfsdk:"secret"`
}

func (*lookup) Metadata(_ context.Context, _ datasource.MetadataRequest, response *datasource.MetadataResponse) {
	response.TypeName = typeName() + "_lookup"
}

func (*lookup) Schema(_ context.Context, _ datasource.SchemaRequest, response *datasource.SchemaResponse) {
	response.Schema = schema.Schema{
		Description: "Looks at an object.",
		Attributes: map[string]schema.Attribute{
			"name":   schema.StringAttribute{Required: true, Description: "Which one."},
			"former": schema.StringAttribute{Optional: true, DeprecationMessage: "It does nothing any more."},
			"note":   schema.StringAttribute{Computed: true},
			"size":   schema.Int64Attribute{Computed: true},
			"secret": schema.StringAttribute{Computed: true, Sensitive: true},
		},
	}
}

func (d *lookup) Configure(_ context.Context, request datasource.ConfigureRequest, _ *datasource.ConfigureResponse) {
	d.settings = configured(request.ProviderData)
}

func (d *lookup) Read(ctx context.Context, request datasource.ReadRequest, response *datasource.ReadResponse) {
	var model lookupModel
	response.Diagnostics.Append(request.Config.Get(ctx, &model)...)
	if response.Diagnostics.HasError() {
		return
	}
	object, _, err := d.settings.store.read(model.Name.ValueString())
	if err != nil {
		response.Diagnostics.AddError("Not readable", err.Error())
		return
	}
	if object == nil {
		response.Diagnostics.AddAttributeError(path.Root("name"), "There is none", "Nothing is called "+model.Name.ValueString()+".")
		return
	}
	note, _ := object["note"].(string)
	model.Note = types.StringValue(note)
	if size, ok := object["size"].(float64); ok {
		model.Size = types.Int64Value(int64(size))
	}
	model.Secret = types.StringValue("the secret of " + model.Name.ValueString())
	response.Diagnostics.Append(response.State.Set(ctx, &model)...)
}
