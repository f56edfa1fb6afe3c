package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// One text in, one out.
type echoUpper struct{}

func (echoUpper) Metadata(_ context.Context, _ function.MetadataRequest, response *function.MetadataResponse) {
	response.Name = "echo_upper"
}

func (echoUpper) Definition(_ context.Context, _ function.DefinitionRequest, response *function.DefinitionResponse) {
	response.Definition = function.Definition{
		Summary:    "In capitals",
		Parameters: []function.Parameter{function.StringParameter{Name: "input", Description: "What to say."}},
		Return:     function.StringReturn{},
	}
}

func (echoUpper) Run(ctx context.Context, request function.RunRequest, response *function.RunResponse) {
	var input string
	response.Error = request.Arguments.Get(ctx, &input)
	if response.Error == nil && input == "" {
		response.Error = function.NewArgumentFuncError(0, "there is nothing to say")
	}
	if response.Error == nil {
		response.Error = response.Result.Set(ctx, strings.ToUpper(input))
	}
}

// A nullable parameter and any number of further ones.
type joinAll struct{}

func (joinAll) Metadata(_ context.Context, _ function.MetadataRequest, response *function.MetadataResponse) {
	response.Name = "join_all"
}

func (joinAll) Definition(_ context.Context, _ function.DefinitionRequest, response *function.DefinitionResponse) {
	response.Definition = function.Definition{
		Summary:           "Joins texts",
		Parameters:        []function.Parameter{function.StringParameter{Name: "separator", AllowNullValue: true}},
		VariadicParameter: function.StringParameter{Name: "parts"},
		Return:            function.StringReturn{},
	}
}

func (joinAll) Run(ctx context.Context, request function.RunRequest, response *function.RunResponse) {
	var separator *string
	var parts []string
	if response.Error = request.Arguments.Get(ctx, &separator, &parts); response.Error != nil {
		return
	}
	between := ", "
	if separator != nil {
		between = *separator
	}
	response.Error = response.Result.Set(ctx, strings.Join(parts, between))
}

// Anything in, an object out.
type describe struct{}

var description = map[string]attr.Type{"kind": types.StringType, "value_text": types.StringType}

func (describe) Metadata(_ context.Context, _ function.MetadataRequest, response *function.MetadataResponse) {
	response.Name = "describe"
}

func (describe) Definition(_ context.Context, _ function.DefinitionRequest, response *function.DefinitionResponse) {
	response.Definition = function.Definition{
		Summary:    "Says what something is",
		Parameters: []function.Parameter{function.DynamicParameter{Name: "value", AllowNullValue: true}},
		Return:     function.ObjectReturn{AttributeTypes: description},
	}
}

func (describe) Run(ctx context.Context, request function.RunRequest, response *function.RunResponse) {
	var value types.Dynamic
	if response.Error = request.Arguments.Get(ctx, &value); response.Error != nil {
		return
	}
	kind, text := "null", "null"
	if underlying := value.UnderlyingValue(); underlying != nil && !underlying.IsNull() {
		kind, text = fmt.Sprint(underlying.Type(ctx)), underlying.String()
	}
	object, diagnostics := types.ObjectValue(description, map[string]attr.Value{
		"kind": types.StringValue(kind), "value_text": types.StringValue(text),
	})
	if diagnostics.HasError() {
		response.Error = function.FuncErrorFromDiags(ctx, diagnostics)
		return
	}
	response.Error = response.Result.Set(ctx, object)
}
