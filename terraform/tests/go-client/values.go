package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// dynamic encodes a value as terraform-plugin-go does. Values are written as plain Go; nil is null.
func dynamic(ty tftypes.Type, value any) message {
	encoded, err := tfprotov6.NewDynamicValue(ty, build(ty, value))
	if err != nil {
		panic(err)
	}
	return message{"msgpack": base64.StdEncoding.EncodeToString(encoded.MsgPack)}
}

func build(ty tftypes.Type, value any) tftypes.Value {
	switch value := value.(type) {
	case tftypes.Value:
		return value
	case []any:
		elements := make([]tftypes.Value, len(value))
		for i, element := range value {
			elements[i] = build(ty.(tftypes.List).ElementType, element)
		}
		return tftypes.NewValue(ty, elements)
	case map[string]any:
		return tftypes.NewValue(ty, members(ty, value))
	default:
		return tftypes.NewValue(ty, value)
	}
}

// members are the elements of a map, or all attributes of an object; those that are left out are null.
func members(ty tftypes.Type, value map[string]any) map[string]tftypes.Value {
	built := map[string]tftypes.Value{}
	if collection, is := ty.(tftypes.Map); is {
		for key, element := range value {
			built[key] = build(collection.ElementType, element)
		}
		return built
	}
	for name, attribute := range ty.(tftypes.Object).AttributeTypes {
		built[name] = build(attribute, value[name])
	}
	return built
}

// stored is a value as it is in a state, in JSON.
func stored(json string) message {
	return message{"json": base64.StdEncoding.EncodeToString([]byte(json))}
}

// readable replaces what JSON says in base64: dynamic values by their content, types by theirs.
func (p provider) readable(field string, answer any) (any, error) {
	switch answer := answer.(type) {
	case []any:
		for i := range answer {
			element, err := p.readable(field, answer[i])
			if err != nil {
				return nil, err
			}
			answer[i] = element
		}
	case map[string]any:
		if encoded, is := answer["msgpack"].(string); is {
			return p.value(field, encoded)
		}
		for name := range answer {
			member, err := p.readable(name, answer[name])
			if err != nil {
				return nil, err
			}
			answer[name] = member
		}
	case string:
		if field == "type" {
			return typeOf(answer)
		}
	}
	return answer, nil
}

// typeOf checks that terraform-plugin-go reads a type, and shows it as it came.
func typeOf(encoded string) (any, error) {
	text, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, err
	}
	if _, err := tftypes.ParseJSONType(text); err != nil { //nolint:staticcheck // There is no other way to read one.
		return nil, err
	}
	return json.RawMessage(text), nil
}

func (p provider) value(field, encoded string) (any, error) {
	msgpack, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, err
	}
	var failed error
	for _, ty := range p.types[field] {
		decoded, err := tfprotov6.DynamicValue{MsgPack: msgpack}.Unmarshal(ty)
		if err == nil {
			return plain(decoded)
		}
		failed = err
	}
	return nil, fmt.Errorf("%s: no type fits: %w", field, failed)
}

func plain(value tftypes.Value) (any, error) {
	if value.IsNull() {
		return nil, nil
	}
	if !value.IsKnown() {
		return "(unknown)", nil
	}
	switch ty := value.Type(); {
	case ty.Is(tftypes.String):
		var text string
		err := value.As(&text)
		return text, err
	case ty.Is(tftypes.Bool):
		var truth bool
		err := value.As(&truth)
		return truth, err
	case ty.Is(tftypes.Number):
		number := new(big.Float)
		if err := value.As(&number); err != nil {
			return nil, err
		}
		return json.Number(number.Text('g', -1)), nil
	case ty.Is(tftypes.Object{}), ty.Is(tftypes.Map{}):
		var attributes map[string]tftypes.Value
		if err := value.As(&attributes); err != nil {
			return nil, err
		}
		shown := map[string]any{}
		for name, attribute := range attributes {
			text, err := plain(attribute)
			if err != nil {
				return nil, err
			}
			shown[name] = text
		}
		return shown, nil
	default:
		var elements []tftypes.Value
		if err := value.As(&elements); err != nil {
			return nil, err
		}
		shown := make([]any, len(elements))
		for i, element := range elements {
			text, err := plain(element)
			if err != nil {
				return nil, err
			}
			shown[i] = text
		}
		return shown, nil
	}
}
