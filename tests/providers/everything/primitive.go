package main

import (
	"context"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Primitive attributes, required, computed, with defaults and write-only: the schema with which the Go bridge's answers were
// recorded.
type primitive struct{}

type primitiveModel struct {
	ID               types.String `tfsdk:"id"`
	StringRequired   types.String `tfsdk:"attr_string_required"`
	StringComputed   types.String `tfsdk:"attr_string_computed"`
	StringDefault    types.String `tfsdk:"attr_string_default"`
	StringOverridden types.String `tfsdk:"attr_string_default_overridden"`
	StringWriteOnly  types.String `tfsdk:"attr_string_write_only"`
	BoolRequired     types.Bool   `tfsdk:"attr_bool_required"`
	BoolComputed     types.Bool   `tfsdk:"attr_bool_computed"`
	IntRequired      types.Int64  `tfsdk:"attr_int_required"`
	IntComputed      types.Int64  `tfsdk:"attr_int_computed"`
	NumberRequired   types.Number `tfsdk:"attr_number_required"`
	NumberComputed   types.Number `tfsdk:"attr_number_computed"`
}

func (*primitive) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = typeName() + "_primitive"
}

func (*primitive) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"id":                             schema.StringAttribute{Computed: true},
		"attr_string_required":           schema.StringAttribute{Required: true},
		"attr_string_computed":           schema.StringAttribute{Computed: true},
		"attr_string_default":            schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("default-value")},
		"attr_string_default_overridden": schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString("default-value")},
		"attr_string_write_only":         schema.StringAttribute{Optional: true, WriteOnly: true},
		"attr_bool_required":             schema.BoolAttribute{Required: true},
		"attr_bool_computed":             schema.BoolAttribute{Computed: true},
		"attr_int_required":              schema.Int64Attribute{Required: true},
		"attr_int_computed":              schema.Int64Attribute{Computed: true},
		"attr_number_required":           schema.NumberAttribute{Required: true},
		"attr_number_computed":           schema.NumberAttribute{Computed: true},
	}}
}

func (*primitive) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var model primitiveModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	model.ID = types.StringValue("example-id")
	model.StringComputed = types.StringValue("t")
	model.BoolComputed = types.BoolValue(false)
	model.IntComputed = types.Int64Value(128)
	model.NumberComputed = model.NumberRequired
	model.StringWriteOnly = types.StringNull()
	response.Diagnostics.Append(response.State.Set(ctx, &model)...)
}

// What is computed changes with each procedure, so that an answer tells which one it is of.
func (*primitive) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("attr_int_computed"), 10000)...)
}

func (*primitive) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var model, prior primitiveModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &model)...)
	response.Diagnostics.Append(request.State.Get(ctx, &prior)...)
	model.ID = prior.ID
	model.StringComputed = types.StringNull()
	model.BoolComputed = types.BoolNull()
	model.IntComputed = types.Int64Value(256)
	model.NumberComputed = types.NumberNull()
	model.StringWriteOnly = types.StringNull()
	response.Diagnostics.Append(response.State.Set(ctx, &model)...)
}

func (*primitive) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

func (*primitive) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	for name, value := range map[string]any{
		"id":                   request.ID,
		"attr_string_required": "imported value",
		"attr_bool_required":   true,
		"attr_int_required":    1234,
		"attr_number_required": big.NewFloat(43.21),
	} {
		response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root(name), value)...)
	}
}
