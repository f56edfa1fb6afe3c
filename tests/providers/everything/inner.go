package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Gives every `computed` inside of nested attributes its value, which is that of the `name` beside it.
func computeInner(_ context.Context, state *tfsdk.State) diag.Diagnostics {
	var diagnostics diag.Diagnostics
	computed, err := tftypes.Transform(state.Raw, func(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		object, isObject := value.Type().(tftypes.Object)
		if !isObject || value.IsNull() || !value.IsKnown() {
			return value, nil
		}
		if _, has := object.AttributeTypes["computed"]; !has {
			return value, nil
		}
		var attributes map[string]tftypes.Value
		if err := value.As(&attributes); err != nil {
			return value, err
		}
		attributes["computed"] = attributes["name"]
		return tftypes.NewValue(object, attributes), nil
	})
	if err != nil {
		diagnostics.AddError("Cannot compute", err.Error())
		return diagnostics
	}
	state.Raw = computed
	return diagnostics
}
