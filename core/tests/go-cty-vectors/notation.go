package main

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// The notation of values in the vectors. It says how a value is built and is independent of every codec under test:
//
//	["s", text]  ["n", decimal]  ["b", bool]  ["0", type] (null)  ["?", type, refinement?] (unknown)
//	["l", element type, [...]]  ["S", element type, [...]]  ["m", element type, {...}]  ["o", {...}]  ["t", [...]]
//
// A refinement is an object with any of: nn (true), sp (prefix), n> and n< ([decimal, inclusive]), l> and l< (length).
type notation = []any

func str(text string) notation     { return notation{"s", text} }
func num(text string) notation     { return notation{"n", text} }
func boolean(value bool) notation  { return notation{"b", value} }
func null(ty cty.Type) notation    { return notation{"0", typeJSON(ty)} }
func unknown(ty cty.Type) notation { return notation{"?", typeJSON(ty)} }
func tuple(parts ...notation) notation {
	return notation{"t", append([]notation{}, parts...)}
}

func refined(ty cty.Type, refinement map[string]any) notation {
	return notation{"?", typeJSON(ty), refinement}
}

func collection(kind string, element cty.Type, parts ...notation) notation {
	return notation{kind, typeJSON(element), append([]notation{}, parts...)}
}

func mapping(element cty.Type, parts map[string]notation) notation {
	return notation{"m", typeJSON(element), parts}
}

func object(parts map[string]notation) notation { return notation{"o", parts} }

func typeJSON(ty cty.Type) json.RawMessage {
	text, err := ctyjson.MarshalType(ty)
	check(err)
	return text
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func parseType(text json.RawMessage) cty.Type {
	ty, err := ctyjson.UnmarshalType(text)
	check(err)
	return ty
}

// build makes the value that a notation describes.
func build(n notation) cty.Value {
	switch n[0] {
	case "s":
		return cty.StringVal(n[1].(string))
	case "n":
		return cty.MustParseNumberVal(n[1].(string))
	case "b":
		return cty.BoolVal(n[1].(bool))
	case "0":
		return cty.NullVal(parseType(n[1].(json.RawMessage)))
	case "?":
		value := cty.UnknownVal(parseType(n[1].(json.RawMessage)))
		if len(n) == 2 {
			return value
		}
		return refine(value, n[2].(map[string]any))
	case "l", "S":
		element := parseType(n[1].(json.RawMessage))
		parts := buildAll(n[2].([]notation))
		switch {
		case n[0] == "l" && len(parts) == 0:
			return cty.ListValEmpty(element)
		case n[0] == "l":
			return cty.ListVal(parts)
		case len(parts) == 0:
			return cty.SetValEmpty(element)
		default:
			return cty.SetVal(parts)
		}
	case "m":
		parts := buildMap(n[2].(map[string]notation))
		if len(parts) == 0 {
			return cty.MapValEmpty(parseType(n[1].(json.RawMessage)))
		}
		return cty.MapVal(parts)
	case "o":
		return cty.ObjectVal(buildMap(n[1].(map[string]notation)))
	case "t":
		return cty.TupleVal(buildAll(n[1].([]notation)))
	default:
		panic(fmt.Sprintf("no notation %v", n[0]))
	}
}

// reordered is the same value with the elements of every set inserted in another order.
func reordered(n notation, reorder func([]notation)) notation {
	all := func(parts []notation) []notation {
		out := []notation{}
		for _, part := range parts {
			out = append(out, reordered(part, reorder))
		}
		return out
	}
	named := func(parts map[string]notation) map[string]notation {
		out := map[string]notation{}
		for name, part := range parts {
			out[name] = reordered(part, reorder)
		}
		return out
	}
	switch n[0] {
	case "l", "S":
		parts := all(n[2].([]notation))
		if n[0] == "S" {
			reorder(parts)
		}
		return notation{n[0], n[1], parts}
	case "t":
		return notation{n[0], all(n[1].([]notation))}
	case "m":
		return notation{n[0], n[1], named(n[2].(map[string]notation))}
	case "o":
		return notation{n[0], named(n[1].(map[string]notation))}
	default:
		return n
	}
}

func buildAll(parts []notation) []cty.Value {
	values := make([]cty.Value, len(parts))
	for i, part := range parts {
		values[i] = build(part)
	}
	return values
}

func buildMap(parts map[string]notation) map[string]cty.Value {
	values := make(map[string]cty.Value, len(parts))
	for name, part := range parts {
		values[name] = build(part)
	}
	return values
}

func refine(value cty.Value, refinement map[string]any) cty.Value {
	builder := value.Refine()
	if refinement["nn"] != nil {
		builder = builder.NotNull()
	}
	if prefix, ok := refinement["sp"].(string); ok {
		builder = builder.StringPrefixFull(prefix)
	}
	if bound, ok := refinement["n>"].([]any); ok {
		builder = builder.NumberRangeLowerBound(cty.MustParseNumberVal(bound[0].(string)), bound[1].(bool))
	}
	if bound, ok := refinement["n<"].([]any); ok {
		builder = builder.NumberRangeUpperBound(cty.MustParseNumberVal(bound[0].(string)), bound[1].(bool))
	}
	if length, ok := refinement["l>"].(int); ok {
		builder = builder.CollectionLengthLowerBound(length)
	}
	if length, ok := refinement["l<"].(int); ok {
		builder = builder.CollectionLengthUpperBound(length)
	}
	return builder.NewValue()
}

// describe is the notation of a value as go-cty holds it: sets in go-cty's order, without duplicates.
func describe(value cty.Value) notation {
	ty := value.Type()
	switch {
	case !value.IsKnown():
		return describeUnknown(value)
	case value.IsNull():
		return null(ty)
	case ty == cty.String:
		return str(value.AsString())
	case ty == cty.Number:
		return num(value.AsBigFloat().Text('f', -1))
	case ty == cty.Bool:
		return boolean(value.True())
	case ty.IsListType():
		return collection("l", ty.ElementType(), describeAll(value)...)
	case ty.IsSetType():
		return collection("S", ty.ElementType(), describeAll(value)...)
	case ty.IsMapType():
		return mapping(ty.ElementType(), describeMap(value))
	case ty.IsObjectType():
		return object(describeMap(value))
	case ty.IsTupleType():
		return notation{"t", describeAll(value)}
	default:
		panic("no notation for " + ty.GoString())
	}
}

func describeAll(value cty.Value) []notation {
	parts := []notation{}
	for it := value.ElementIterator(); it.Next(); {
		_, part := it.Element()
		parts = append(parts, describe(part))
	}
	return parts
}

func describeMap(value cty.Value) map[string]notation {
	parts := map[string]notation{}
	for it := value.ElementIterator(); it.Next(); {
		key, part := it.Element()
		parts[key.AsString()] = describe(part)
	}
	return parts
}

func describeUnknown(value cty.Value) notation {
	ty := value.Type()
	refinement := map[string]any{}
	if ty == cty.DynamicPseudoType {
		return unknown(ty)
	}
	known := value.Range()
	if known.DefinitelyNotNull() {
		refinement["nn"] = true
	}
	switch {
	case ty == cty.String:
		if prefix := known.StringPrefix(); prefix != "" {
			refinement["sp"] = prefix
		}
	case ty == cty.Number:
		if bound, inclusive := known.NumberLowerBound(); bound.IsKnown() && bound != cty.NegativeInfinity {
			refinement["n>"] = []any{bound.AsBigFloat().Text('f', -1), inclusive}
		}
		if bound, inclusive := known.NumberUpperBound(); bound.IsKnown() && bound != cty.PositiveInfinity {
			refinement["n<"] = []any{bound.AsBigFloat().Text('f', -1), inclusive}
		}
	case ty.IsCollectionType():
		if length := known.LengthLowerBound(); length != 0 {
			refinement["l>"] = length
		}
		if length := known.LengthUpperBound(); length != math.MaxInt {
			refinement["l<"] = length
		}
	}
	if len(refinement) == 0 {
		return unknown(ty)
	}
	return refined(ty, refinement)
}
