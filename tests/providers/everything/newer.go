package main

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// An ephemeral resource that is renewed.
type token struct{ settings *settings }

type tokenModel struct {
	Owner types.String `tfsdk:"owner"`
	Value types.String `tfsdk:"value"`
}

func (*token) Metadata(_ context.Context, _ ephemeral.MetadataRequest, response *ephemeral.MetadataResponse) {
	response.TypeName = typeName() + "_token"
}

func (*token) Schema(_ context.Context, _ ephemeral.SchemaRequest, response *ephemeral.SchemaResponse) {
	response.Schema = ephemeralschema.Schema{Attributes: map[string]ephemeralschema.Attribute{
		"owner": ephemeralschema.StringAttribute{Required: true},
		"value": ephemeralschema.StringAttribute{Computed: true, Sensitive: true},
	}}
}

func (t *token) Configure(_ context.Context, request ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse) {
	t.settings = configured(request.ProviderData)
}

func (t *token) Open(ctx context.Context, request ephemeral.OpenRequest, response *ephemeral.OpenResponse) {
	var model tokenModel
	response.Diagnostics.Append(request.Config.Get(ctx, &model)...)
	model.Value = types.StringValue("token of " + model.Owner.ValueString())
	t.settings.store.note("open %s", model.Owner.ValueString())
	response.RenewAt = time.Now().Add(time.Second)
	response.Diagnostics.Append(response.Private.SetKey(ctx, "owner", []byte(`"`+model.Owner.ValueString()+`"`))...)
	response.Diagnostics.Append(response.Result.Set(ctx, &model)...)
}

func (t *token) Renew(ctx context.Context, request ephemeral.RenewRequest, response *ephemeral.RenewResponse) {
	owner, diagnostics := request.Private.GetKey(ctx, "owner")
	response.Diagnostics.Append(diagnostics...)
	t.settings.store.note("renew %s", owner)
	response.RenewAt = time.Now().Add(time.Second)
}

func (t *token) Close(ctx context.Context, request ephemeral.CloseRequest, response *ephemeral.CloseResponse) {
	owner, diagnostics := request.Private.GetKey(ctx, "owner")
	response.Diagnostics.Append(diagnostics...)
	t.settings.store.note("close %s", owner)
}

// An action with progress.
type notify struct{ settings *settings }

func (*notify) Metadata(_ context.Context, _ action.MetadataRequest, response *action.MetadataResponse) {
	response.TypeName = typeName() + "_notify"
}

func (*notify) Schema(_ context.Context, _ action.SchemaRequest, response *action.SchemaResponse) {
	response.Schema = actionschema.Schema{Attributes: map[string]actionschema.Attribute{
		"message": actionschema.StringAttribute{Required: true},
	}}
}

func (n *notify) Configure(_ context.Context, request action.ConfigureRequest, _ *action.ConfigureResponse) {
	n.settings = configured(request.ProviderData)
}

func (n *notify) Invoke(ctx context.Context, request action.InvokeRequest, response *action.InvokeResponse) {
	var message types.String
	response.Diagnostics.Append(request.Config.GetAttribute(ctx, path.Root("message"), &message)...)
	response.SendProgress(action.InvokeProgressEvent{Message: "saying " + message.ValueString()})
	n.settings.store.note("notify %s", message.ValueString())
	response.Diagnostics.AddWarning("Nobody listens", "It was said all the same.")
}

// All objects of the folder.
type lifeList struct{ settings *settings }

func (*lifeList) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = typeName() + "_life"
}

func (*lifeList) ListResourceConfigSchema(_ context.Context, _ list.ListResourceSchemaRequest, response *list.ListResourceSchemaResponse) {
	response.Schema = listschema.Schema{}
}

func (l *lifeList) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	l.settings = configured(request.ProviderData)
}

func (l *lifeList) List(ctx context.Context, request list.ListRequest, stream *list.ListResultsStream) {
	stream.Results = func(push func(list.ListResult) bool) {
		for _, name := range l.settings.store.ids() {
			result := request.NewListResult(ctx)
			result.DisplayName = name
			result.Diagnostics.Append(result.Identity.Set(ctx, lifeIdentity{types.StringValue(name)})...)
			if !push(result) {
				return
			}
		}
	}
}
