package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// A resource with all that its life can hold: private state, an upgrade, timeouts, a write-only value, import by id and by
// identity, drift, replacement, and failures on demand.
type life struct{ settings *settings }

type lifeModel struct {
	ID              types.String   `tfsdk:"id"`
	Name            types.String   `tfsdk:"name"`
	Size            types.Int64    `tfsdk:"size"`
	Note            types.String   `tfsdk:"note"`
	Revision        types.Int64    `tfsdk:"revision"`
	Fail            types.String   `tfsdk:"fail"`
	Password        types.String   `tfsdk:"password_wo"`
	PasswordVersion types.Int64    `tfsdk:"password_wo_version"`
	Timeouts        timeouts.Value `tfsdk:"timeouts"`
}

type lifeIdentity struct {
	Name types.String `tfsdk:"name"`
}

func (*life) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = typeName() + "_life"
	response.ResourceBehavior.MutableIdentity = true
}

func (*life) Schema(ctx context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	response.Schema = schema.Schema{
		// 0 called the name `label`.
		Version: 1,
		Attributes: map[string]schema.Attribute{
			"id":                  schema.StringAttribute{Computed: true, PlanModifiers: keep},
			"name":                schema.StringAttribute{Required: true, PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplace()}},
			"size":                schema.Int64Attribute{Optional: true},
			"note":                schema.StringAttribute{Optional: true, Computed: true, PlanModifiers: keep},
			"revision":            schema.Int64Attribute{Computed: true, PlanModifiers: []planmodifier.Int64{int64planmodifier.UseNonNullStateForUnknown()}},
			"fail":                schema.StringAttribute{Optional: true, Description: "`create`, `create after`, `update`, `read`, `delete`, `panic`, `exit`, `hang`."},
			"password_wo":         schema.StringAttribute{Optional: true, WriteOnly: true, Sensitive: true},
			"password_wo_version": schema.Int64Attribute{Optional: true},
		},
		Blocks: map[string]schema.Block{"timeouts": timeouts.Block(ctx, timeouts.Opts{Create: true, Update: true, Delete: true})},
	}
}

func (*life) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, response *resource.IdentitySchemaResponse) {
	response.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"name": identityschema.StringAttribute{RequiredForImport: true},
	}}
}

func (r *life) Configure(_ context.Context, request resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	r.settings = configured(request.ProviderData)
}

func (r *life) Create(ctx context.Context, request resource.CreateRequest, response *resource.CreateResponse) {
	var plan, config lifeModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	limit, diagnostics := plan.Timeouts.Create(ctx, 20*time.Minute)
	response.Diagnostics.Append(diagnostics...)
	if response.Diagnostics.HasError() {
		return
	}
	misbehave(plan.Fail.ValueString())
	if plan.Fail.ValueString() == "create" {
		response.Diagnostics.AddAttributeError(path.Root("fail"), "Not created", "As it was asked to.")
		return
	}
	plan.ID = types.StringValue("life/" + plan.Name.ValueString())
	plan.Revision = types.Int64Value(1)
	if plan.Note.IsUnknown() {
		plan.Note = types.StringValue("made by the provider")
	}
	r.settings.store.note("create %s limit=%s password=%q", plan.Name.ValueString(), limit, config.Password.ValueString())
	r.save(ctx, &plan, response.Diagnostics.AddError)
	response.Diagnostics.Append(response.Private.SetKey(ctx, "revision", []byte("1"))...)
	response.Diagnostics.Append(response.State.Set(ctx, &plan)...)
	response.Diagnostics.Append(response.Identity.Set(ctx, lifeIdentity{plan.Name})...)
	if plan.Fail.ValueString() == "create after" {
		response.Diagnostics.AddError("Created and then failed", "The object exists.")
	}
}

func (r *life) Read(ctx context.Context, request resource.ReadRequest, response *resource.ReadResponse) {
	var state lifeModel
	response.Diagnostics.Append(request.State.Get(ctx, &state)...)
	if state.Fail.ValueString() == "read" {
		response.Diagnostics.AddError("Not read", "As it was asked to.")
		return
	}
	object, kept, err := r.settings.store.read(state.Name.ValueString())
	switch {
	case err != nil:
		response.Diagnostics.AddError("Not readable", err.Error())
	case kept && object == nil:
		response.State.RemoveResource(ctx)
		return
	case kept:
		if size, ok := object["size"].(float64); ok {
			state.Size = types.Int64Value(int64(size))
		}
		if note, ok := object["note"].(string); ok {
			state.Note = types.StringValue(note)
		}
		if revision, ok := object["revision"].(float64); ok {
			state.Revision = types.Int64Value(int64(revision))
		}
	}
	response.Diagnostics.Append(response.State.Set(ctx, &state)...)
	response.Diagnostics.Append(response.Identity.Set(ctx, lifeIdentity{state.Name})...)
}

func (r *life) Update(ctx context.Context, request resource.UpdateRequest, response *resource.UpdateResponse) {
	var plan, prior, config lifeModel
	response.Diagnostics.Append(request.Plan.Get(ctx, &plan)...)
	response.Diagnostics.Append(request.State.Get(ctx, &prior)...)
	response.Diagnostics.Append(request.Config.Get(ctx, &config)...)
	limit, diagnostics := plan.Timeouts.Update(ctx, 20*time.Minute)
	response.Diagnostics.Append(diagnostics...)
	private, diagnostics := request.Private.GetKey(ctx, "revision")
	response.Diagnostics.Append(diagnostics...)
	if response.Diagnostics.HasError() {
		return
	}
	misbehave(plan.Fail.ValueString())
	if plan.Fail.ValueString() == "update" {
		response.Diagnostics.AddError("Not updated", "As it was asked to.")
		return
	}
	revision, _ := strconv.ParseInt(string(private), 10, 64)
	r.settings.store.note("update %s limit=%s private=%s password=%q", plan.Name.ValueString(), limit, private, config.Password.ValueString())
	// `UseNonNullStateForUnknown` has promised the old revision; only the private one goes on.
	plan.Revision = prior.Revision
	r.save(ctx, &plan, response.Diagnostics.AddError)
	response.Diagnostics.Append(response.Private.SetKey(ctx, "revision", []byte(strconv.FormatInt(revision+1, 10)))...)
	response.Diagnostics.Append(response.State.Set(ctx, &plan)...)
	response.Diagnostics.Append(response.Identity.Set(ctx, lifeIdentity{plan.Name})...)
}

func (r *life) Delete(ctx context.Context, request resource.DeleteRequest, response *resource.DeleteResponse) {
	var state lifeModel
	response.Diagnostics.Append(request.State.Get(ctx, &state)...)
	limit, diagnostics := state.Timeouts.Delete(ctx, 20*time.Minute)
	response.Diagnostics.Append(diagnostics...)
	private, diagnostics := request.Private.GetKey(ctx, "revision")
	response.Diagnostics.Append(diagnostics...)
	if state.Fail.ValueString() == "delete" {
		response.Diagnostics.AddError("Not deleted", "As it was asked to.")
		return
	}
	r.settings.store.note("delete %s limit=%s private=%s", state.Name.ValueString(), limit, private)
	if err := r.settings.store.remove(state.Name.ValueString()); err != nil {
		response.Diagnostics.AddError("Not removed", err.Error())
	}
}

func (r *life) ImportState(ctx context.Context, request resource.ImportStateRequest, response *resource.ImportStateResponse) {
	name := request.ID
	if name == "" {
		var identity lifeIdentity
		response.Diagnostics.Append(request.Identity.Get(ctx, &identity)...)
		name = identity.Name.ValueString()
	}
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("id"), "life/"+name)...)
	response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root("name"), name)...)
	response.Diagnostics.Append(response.Identity.Set(ctx, lifeIdentity{types.StringValue(name)})...)
}

func (*life) UpgradeState(context.Context) map[int64]resource.StateUpgrader {
	return map[int64]resource.StateUpgrader{0: {
		PriorSchema: &schema.Schema{Attributes: map[string]schema.Attribute{
			"id":    schema.StringAttribute{Computed: true},
			"label": schema.StringAttribute{Required: true},
			"size":  schema.Int64Attribute{Optional: true},
		}},
		StateUpgrader: func(ctx context.Context, request resource.UpgradeStateRequest, response *resource.UpgradeStateResponse) {
			var prior struct {
				ID    types.String `tfsdk:"id"`
				Label types.String `tfsdk:"label"`
				Size  types.Int64  `tfsdk:"size"`
			}
			response.Diagnostics.Append(request.State.Get(ctx, &prior)...)
			for name, value := range map[string]any{"id": prior.ID, "name": prior.Label, "size": prior.Size, "note": "upgraded", "revision": 1} {
				response.Diagnostics.Append(response.State.SetAttribute(ctx, path.Root(name), value)...)
			}
		},
	}}
}

func (r *life) save(_ context.Context, model *lifeModel, failed func(string, string)) {
	object := map[string]any{"note": model.Note.ValueString(), "revision": model.Revision.ValueInt64()}
	if !model.Size.IsNull() {
		object["size"] = model.Size.ValueInt64()
	}
	if err := r.settings.store.write(model.Name.ValueString(), object); err != nil {
		failed("Not saved", err.Error())
	}
}

// What no provider should do.
func misbehave(how string) {
	switch how {
	case "panic":
		panic("the provider was asked to panic")
	case "exit":
		fmt.Fprintln(os.Stderr, "the provider was asked to exit")
		// What is written goes to the host by way of a stream, which ends with the process.
		time.Sleep(300 * time.Millisecond)
		os.Exit(3)
	case "hang":
		select {}
	}
}
