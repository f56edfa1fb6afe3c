package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Every kind of attribute and block, given back as it came.
type everything struct{}

var pair = map[string]attr.Type{"left": types.StringType, "right": types.NumberType}

func inner() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"name":     schema.StringAttribute{Required: true},
		"secret":   schema.StringAttribute{Optional: true, Sensitive: true},
		"computed": schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
	}
}

func block() schema.NestedBlockObject {
	return schema.NestedBlockObject{
		Attributes: map[string]schema.Attribute{
			"port":  schema.Int64Attribute{Required: true},
			"paths": schema.ListAttribute{ElementType: types.StringType, Optional: true},
		},
		Blocks: map[string]schema.Block{
			"option": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{Attributes: map[string]schema.Attribute{
				"key":   schema.StringAttribute{Required: true},
				"value": schema.StringAttribute{Optional: true},
			}}},
		},
	}
}

func (*everything) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = typeName() + "_everything"
}

func (*everything) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	nested := schema.NestedAttributeObject{Attributes: inner()}
	response.Schema = schema.Schema{
		MarkdownDescription: "Every kind of attribute and block.",
		Attributes: map[string]schema.Attribute{
			"id":            schema.StringAttribute{Computed: true, PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
			"text":          schema.StringAttribute{Optional: true},
			"flag":          schema.BoolAttribute{Optional: true},
			"whole":         schema.Int64Attribute{Optional: true},
			"double":        schema.Float64Attribute{Optional: true},
			"exact":         schema.NumberAttribute{Optional: true},
			"anything":      schema.DynamicAttribute{Optional: true},
			"texts":         schema.ListAttribute{ElementType: types.StringType, Optional: true},
			"numbers":       schema.SetAttribute{ElementType: types.NumberType, Optional: true},
			"labels":        schema.MapAttribute{ElementType: types.StringType, Optional: true},
			"matrix":        schema.ListAttribute{ElementType: types.ListType{ElemType: types.Int64Type}, Optional: true},
			"pair":          schema.ObjectAttribute{AttributeTypes: pair, Optional: true},
			"pairs":         schema.MapAttribute{ElementType: types.ObjectType{AttrTypes: pair}, Optional: true},
			"secret":        schema.StringAttribute{Optional: true, Sensitive: true},
			"former":        schema.StringAttribute{Optional: true, DeprecationMessage: "Use text."},
			"sha_256":       schema.StringAttribute{Optional: true},
			"nested_single": schema.SingleNestedAttribute{Attributes: inner(), Optional: true},
			"nested_list":   schema.ListNestedAttribute{NestedObject: nested, Optional: true},
			"nested_set":    schema.SetNestedAttribute{NestedObject: nested, Optional: true},
			"nested_map":    schema.MapNestedAttribute{NestedObject: nested, Optional: true},
		},
		Blocks: map[string]schema.Block{
			"listener": schema.ListNestedBlock{NestedObject: block()},
			"rule":     schema.SetNestedBlock{NestedObject: block()},
			"limits": schema.SingleNestedBlock{Attributes: map[string]schema.Attribute{
				"cpu":    schema.NumberAttribute{Optional: true},
				"memory": schema.Int64Attribute{Optional: true},
			}},
		},
	}
}

func (*everything) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	response.State.Raw = request.Plan.Raw
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("id"), "everything")...)
	response.Diagnostics.Append(computeInner(ctx, &response.State)...)
}

func (*everything) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (*everything) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	response.State.Raw = request.Plan.Raw
	response.Diagnostics.Append(computeInner(ctx, &response.State)...)
}

func (*everything) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

func (*everything) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	resource.ImportStatePassthroughID(ctx, path.Root("id"), request, response)
}
