package main

import (
	"strings"

	"github.com/zclconf/go-cty/cty"
)

type attrs = map[string]cty.Type

var (
	strings2 = cty.Tuple([]cty.Type{cty.String, cty.String})
	person   = cty.Object(attrs{"age": cty.Number, "name": cty.String})
	dynamic  = cty.DynamicPseudoType
)

// Types of every kind, nested up to three deep.
var valueTypes = []cty.Type{
	cty.String, cty.Number, cty.Bool,
	cty.List(cty.String), cty.List(cty.Number), cty.List(cty.Bool),
	cty.Set(cty.String), cty.Set(cty.Number), cty.Set(cty.Bool),
	cty.Map(cty.String), cty.Map(cty.Number), cty.Map(cty.Bool),
	cty.EmptyObject, cty.EmptyTuple, person,
	cty.Object(attrs{"a": cty.String}),
	cty.Object(attrs{"a": cty.Bool}),
	cty.Object(attrs{"a": cty.Number, "b": cty.Number}),
	cty.Object(attrs{"a": cty.String, "b": cty.Number}),
	cty.Tuple([]cty.Type{cty.String}), strings2,
	cty.Tuple([]cty.Type{cty.Number, cty.Number}),
	cty.Tuple([]cty.Type{cty.String, cty.Number, cty.Bool}),
	cty.Tuple([]cty.Type{cty.Number, cty.Bool}),
	cty.List(cty.List(cty.String)), cty.List(cty.Set(cty.Number)), cty.List(cty.Map(cty.String)),
	cty.List(person), cty.List(strings2), cty.List(cty.EmptyObject),
	cty.Set(cty.List(cty.Number)), cty.Set(cty.Set(cty.String)), cty.Set(cty.Map(cty.String)),
	cty.Set(person), cty.Set(strings2), cty.Set(cty.Object(attrs{"a": cty.String})),
	cty.Map(cty.List(cty.String)), cty.Map(cty.Set(cty.String)), cty.Map(person), cty.Map(cty.Map(cty.Number)),
	cty.Object(attrs{"a": cty.List(cty.Object(attrs{"b": cty.Set(cty.String)}))}),
	cty.Object(attrs{"x": person, "y": cty.Map(cty.String)}),
	cty.Tuple([]cty.Type{cty.List(cty.String), cty.Object(attrs{"a": cty.String})}),
	cty.Tuple([]cty.Type{cty.EmptyTuple, cty.EmptyObject}),
	cty.List(cty.List(cty.List(cty.Bool))), cty.Set(cty.Object(attrs{"s": cty.Set(cty.Number), "t": strings2})),
	dynamic,
	cty.Object(attrs{"d": dynamic}), cty.Object(attrs{"d": dynamic, "s": cty.String}), cty.Tuple([]cty.Type{dynamic, cty.Bool}),
	cty.List(dynamic), cty.Map(dynamic), cty.Set(dynamic), cty.List(cty.Object(attrs{"d": dynamic})),
	cty.Map(cty.List(dynamic)),
}

// Types that only a conversion may aim at, since values have no optional attributes.
var targetTypes = []cty.Type{
	cty.ObjectWithOptionalAttrs(attrs{"a": cty.String, "b": cty.Number}, []string{"b"}),
	cty.ObjectWithOptionalAttrs(attrs{"a": cty.String, "c": cty.Bool}, []string{"a", "c"}),
	cty.ObjectWithOptionalAttrs(attrs{"name": cty.String, "z": cty.List(cty.Number)}, []string{"z"}),
	cty.List(cty.ObjectWithOptionalAttrs(attrs{"a": cty.String, "b": cty.String}, []string{"b"})),
	cty.Set(cty.ObjectWithOptionalAttrs(attrs{"a": cty.String, "b": cty.String}, []string{"b"})),
	cty.Map(cty.ObjectWithOptionalAttrs(attrs{"name": cty.String, "b": cty.String}, []string{"b"})),
	cty.Object(attrs{"x": cty.ObjectWithOptionalAttrs(attrs{"name": cty.String, "q": dynamic}, []string{"q"}), "y": dynamic}),
	cty.List(cty.List(dynamic)), cty.Set(cty.List(dynamic)), cty.Map(cty.Map(dynamic)),
	cty.Object(attrs{"a": cty.List(dynamic)}), cty.Object(attrs{"a": dynamic}),
	cty.Tuple([]cty.Type{dynamic, dynamic}), cty.Tuple([]cty.Type{cty.String, dynamic, cty.String}),
	cty.Object(attrs{"missing": cty.String, "too": cty.String, "three": cty.String}),
	cty.Object(attrs{"missing": cty.String, "too": cty.String}), cty.Object(attrs{"missing": cty.String}),
	cty.List(cty.Map(dynamic)), cty.Map(cty.Set(dynamic)),
}

var texts = []string{
	"a", "", "e\u0301", "b-10", "5", "true", "1", "0", "True", "FALSE", "1.50", " 5", "0x10", "1_000", "1e3", "-0.25", ".5", "5.", "+7",
	"\u0000\u001f\u007f\"\\<&>\u2028\u200b\U0001F600", "ﬁ \u1e9b\u0323", strings.Repeat("x", 31), strings.Repeat("y", 32),
	strings.Repeat("z", 255), strings.Repeat("w", 256),
}

var numbers = []string{
	"1", "0", "-1", "1.5", "0.1", "-32", "-33", "127", "128", "-128", "-129", "255", "256", "65535", "65536", "-32768", "-32769",
	"2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9007199254740993",
	"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
	"18446744073709551616", "1e-7", "0.5", "-0.75", "1e21", "1e100", "0.30000000000000004", "3.4028234663852886e38",
	"2.5e-10", "1234567890123456789012345.12345678901234567890", "-0.000000000000000000000000000001",
	"4.9406564584124654e-324", "1.7976931348623157e308",
	"0.00000000000000000000000000000000000000000000000000011102230246251565404236316680908203125",
	strings.Repeat("9", 150), "0." + strings.Repeat("123456789", 16),
}

// values are notations of values of a type, the most telling ones first; deeper types get fewer.
func values(ty cty.Type, depth int) []notation {
	own := append(known(ty, depth), null(ty), unknown(ty))
	return append(own, refinedUnknowns(ty)...)
}

func refinedUnknowns(ty cty.Type) []notation {
	if ty == dynamic {
		return nil
	}
	out := []notation{refined(ty, map[string]any{"nn": true})}
	switch {
	case ty == cty.String:
		out = append(out, refined(ty, map[string]any{"nn": true, "sp": "b-"}), refined(ty, map[string]any{"sp": "e\u0301"}),
			refined(ty, map[string]any{"sp": strings.Repeat("p", 300)}), refined(ty, map[string]any{"sp": strings.Repeat("p", 254) + "-" + "p"}))
	case ty == cty.Number:
		out = append(out, refined(ty, map[string]any{"nn": true, "n>": []any{"1", true}, "n<": []any{"2", false}}),
			refined(ty, map[string]any{"n>": []any{"-0.1", false}}), refined(ty, map[string]any{"n<": []any{"1e30", true}}),
			refined(ty, map[string]any{"nn": true, "n>": []any{"5", true}, "n<": []any{"5", true}}),
			refined(ty, map[string]any{"n>": []any{"5", true}, "n<": []any{"5", true}}))
	case ty.IsCollectionType():
		out = append(out, refined(ty, map[string]any{"nn": true, "l>": 1, "l<": 3}), refined(ty, map[string]any{"l>": 2}),
			refined(ty, map[string]any{"l<": 300}), refined(ty, map[string]any{"nn": true, "l<": 0}), refined(ty, map[string]any{"l>": 2, "l<": 2}),
			refined(ty, map[string]any{"nn": true, "l>": 2, "l<": 2}), refined(ty, map[string]any{"nn": true, "l>": 1, "l<": 1}))
	}
	return out
}

func first(notations []notation, count int) []notation {
	return notations[:min(count, len(notations))]
}

func known(ty cty.Type, depth int) (out []notation) {
	switch {
	case ty == cty.String:
		for _, text := range texts {
			out = append(out, str(text))
		}
	case ty == cty.Number:
		for _, text := range numbers {
			out = append(out, num(text))
		}
	case ty == cty.Bool:
		out = append(out, boolean(true), boolean(false))
	case ty == dynamic:
		out = knownDynamic()
	case ty.IsListType(), ty.IsSetType():
		out = knownSequences(ty, depth)
	case ty.IsMapType():
		element := ty.ElementType()
		out = append(out, mapping(element, map[string]notation{}))
		parts := elements(element, depth)
		for i, part := range parts {
			out = append(out, mapping(element, map[string]notation{"k": part}))
			if i > 0 && !element.HasDynamicTypes() {
				out = append(out, mapping(element, map[string]notation{"z": parts[i-1], "a\u0301": part, "": part}))
			}
		}
	case ty.IsObjectType():
		out = knownObjects(ty, depth)
	case ty.IsTupleType():
		out = knownTuples(ty, depth)
	}
	return out
}

// elements of a collection: a few known ones, null and unknown ones.
func elements(ty cty.Type, depth int) []notation {
	count := 4
	if depth > 0 {
		count = 2
	}
	if ty.IsPrimitiveType() && depth == 0 {
		count = 9
	}
	parts := first(known(ty, depth+1), count)
	parts = append(parts, null(ty), unknown(ty))
	if ty == dynamic {
		return parts
	}
	return append(parts, refined(ty, map[string]any{"nn": true}))
}

func knownSequences(ty cty.Type, depth int) []notation {
	kind, element := "l", ty.ElementType()
	if ty.IsSetType() {
		kind = "S"
	}
	out := []notation{collection(kind, element)}
	parts := elements(element, depth)
	for i, part := range parts {
		out = append(out, collection(kind, element, part))
		out = append(out, collection(kind, element, part, part))
		if element == dynamic {
			out = append(out, collection(kind, element, null(dynamic), part, unknown(dynamic)))
		} else if i > 0 && !element.HasDynamicTypes() {
			out = append(out, collection(kind, element, part, parts[i-1], part))
		}
	}
	if !element.HasDynamicTypes() {
		// Known ones first, backwards, so that a set has something to sort.
		backwards := append([]notation{}, parts...)
		for i, j := 0, len(backwards)-1; i < j; i, j = i+1, j-1 {
			backwards[i], backwards[j] = backwards[j], backwards[i]
		}
		out = append(out, collection(kind, element, backwards...))
		plain := first(known(element, depth+1), 18)
		out = append(out, collection(kind, element, append(append([]notation{}, plain...), plain...)...))
	}
	return out
}

func knownObjects(ty cty.Type, depth int) (out []notation) {
	types := ty.AttributeTypes()
	choices := map[string][]notation{}
	most := 1
	for name, attribute := range types {
		choices[name] = elements(attribute, depth)
		most = max(most, len(choices[name]))
	}
	// Every choice of every attribute occurs, in step; a shift keeps attributes from always being alike.
	for i := range most {
		parts := map[string]notation{}
		for name, choice := range choices {
			parts[name] = choice[(i+int(name[0])%3)%len(choice)]
		}
		out = append(out, object(parts))
	}
	return out
}

func knownTuples(ty cty.Type, depth int) (out []notation) {
	types := ty.TupleElementTypes()
	choices := make([][]notation, len(types))
	most := 1
	for i, element := range types {
		choices[i] = elements(element, depth)
		most = max(most, len(choices[i]))
	}
	for i := range most {
		parts := make([]notation, len(types))
		for position, choice := range choices {
			parts[position] = choice[(i+position)%len(choice)]
		}
		out = append(out, tuple(parts...))
	}
	return out
}

func knownDynamic() []notation {
	return []notation{
		str("a"), num("0.1"), boolean(true), null(cty.String), unknown(cty.Number),
		refined(cty.String, map[string]any{"nn": true}),
		tuple(), tuple(str("x"), num("1"), null(dynamic), unknown(dynamic)),
		object(map[string]notation{}), object(map[string]notation{"<\u00e9>": str("x"), "d": tuple(boolean(true))}),
		collection("l", cty.String, str("x")), collection("S", cty.Number, num("2"), num("1")),
		mapping(cty.Bool, map[string]notation{"k": boolean(true)}), collection("l", dynamic), null(cty.List(dynamic)),
	}
}
