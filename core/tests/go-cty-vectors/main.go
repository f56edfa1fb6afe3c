// Writes the vectors that core's codecs, conversion and unification are held to, by asking go-cty itself.
//
//	cd core/tests/go-cty-vectors && go run . && git diff --exit-code .
//
// The output is the same every time, as the second command checks. What go-cty answers by accident (messages that depend on the iteration order of a
// map) is asked for repeatedly and left out where the answers differ.
package main

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

func main() {
	writeCodecs()
	writeForms()
	writeConversions()
	writeUnifications()
}

// lines is a file of one JSON text per line.
type lines struct{ bytes.Buffer }

func (out *lines) add(line any) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(line))
}

func (out *lines) save(name string) {
	check(os.WriteFile(name, out.Bytes(), 0o644))
	fmt.Printf("%s: %d lines, %d bytes\n", name, bytes.Count(out.Bytes(), []byte{'\n'}), out.Len())
}

func text(value any) string {
	out, err := json.Marshal(value)
	check(err)
	return string(out)
}

// writeCodecs: a value of a type and its two encodings. "raw" is how it was built, where that differs from what it is
// (not with dynamic elements, whose type go-cty's constructors settle and core's decoders do); "back" is what decoding
// gives, where that differs.
func writeCodecs() {
	var out lines
	seen := map[string]bool{}
	for _, ty := range valueTypes {
		for _, raw := range values(ty, 0) {
			value := build(raw)
			described := describe(value)
			if orderMatters(raw) {
				// The order of elements that go-cty cannot tell apart (unknowns with different refinements) is that of
				// insertion there; ours is by value.
				continue
			}
			line := map[string]any{"t": typeJSON(ty), "v": described}
			if text(raw) != text(described) && !ty.HasDynamicTypes() {
				line["raw"] = raw
			}
			packed, err := msgpack.Marshal(value, ty)
			check(err)
			line["m"] = hex.EncodeToString(packed)
			back, err := msgpack.Unmarshal(packed, ty)
			check(err)
			if again := describe(back); text(again) != text(described) {
				line["back"] = again
			}
			if written, err := ctyjson.Marshal(value, ty); err == nil {
				line["j"] = string(written)
				back, err := ctyjson.Unmarshal(written, ty)
				check(err)
				if text(describe(back)) != text(described) {
					panic("JSON changes " + text(described))
				}
			}
			if key := text(line); !seen[key] {
				seen[key] = true
				out.add(line)
			}
		}
	}
	out.save("codecs.jsonl")
}

// tries is how often an answer is asked for before it counts as certain. A message that names one of several parts may
// depend on the order in which Go visits a map, which starts anywhere but not equally often.
func tries(message string) int {
	if strings.Contains(message, `"`) {
		return 400
	}
	return 20
}

// orderMatters tells whether a set in the value looks different when its elements are inserted in another order.
func orderMatters(raw notation) bool {
	described := text(describe(build(raw)))
	reversed := reordered(raw, slices.Reverse)
	rotated := reordered(raw, func(parts []notation) {
		if len(parts) > 0 {
			copy(parts, append(parts[1:len(parts):len(parts)], parts[0]))
		}
	})
	return text(describe(build(reversed))) != described || text(describe(build(rotated))) != described
}

// attempt runs what may fail or panic.
func attempt(run func() (cty.Value, error)) (value cty.Value, err error, panicked bool) {
	defer func() {
		if recover() != nil {
			panicked = true
		}
	}()
	value, err = run()
	return value, err, false
}

// writeForms: encodings that no encoder of go-cty writes, and what its decoders make of them.
func writeForms() {
	var out lines
	for _, form := range msgpackForms {
		packed, err := hex.DecodeString(form.text)
		check(err)
		value, err := msgpack.Unmarshal(packed, form.ty)
		line := map[string]any{"t": typeJSON(form.ty), "m": form.text}
		if err == nil {
			line["v"] = describe(value)
		}
		out.add(line)
	}
	for _, form := range jsonForms {
		value, err := ctyjson.Unmarshal([]byte(form.text), form.ty)
		line := map[string]any{"t": typeJSON(form.ty), "j": form.text}
		if err == nil {
			line["v"] = describe(value)
		}
		out.add(line)
	}
	out.save("forms.jsonl")
}

// table numbers texts in order of their first use.
type table struct {
	texts []json.RawMessage
	index map[string]int
}

func (t *table) number(value any) int {
	key := text(value)
	if t.index == nil {
		t.index = map[string]int{}
	}
	number, ok := t.index[key]
	if !ok {
		number = len(t.texts)
		t.index[key] = number
		t.texts = append(t.texts, json.RawMessage(key))
	}
	return number
}

// writeConversions: tables of types, values and messages, then one line for each value: its number and what comes of
// converting it to each type in turn: the number of a value, or "e" and the number of a message ("e" alone where the
// message varies), or "p" where go-cty panics, or "?" where the result varies.
func writeConversions() {
	targets := append(append([]cty.Type{}, valueTypes...), targetTypes...)
	var found, messages table
	type row struct {
		Value   int   `json:"v"`
		Results []any `json:"r"`
	}
	var rows []row
	seen := map[int]bool{}
	for _, ty := range valueTypes {
		for i, raw := range values(ty, 0) {
			if !worthConverting(ty, i) {
				continue
			}
			value := build(raw)
			number := found.number(describe(value))
			if seen[number] {
				continue
			}
			seen[number] = true
			results := make([]any, len(targets))
			for i, target := range targets {
				results[i] = conversion(value, target, &found, &messages)
			}
			rows = append(rows, row{number, results})
		}
	}
	var out lines
	var types []json.RawMessage
	for _, ty := range targets {
		types = append(types, typeJSON(ty))
	}
	out.add(types)
	out.add(found.texts)
	out.add(messages.texts)
	for _, row := range rows {
		out.add(row)
	}
	out.save("conversions.jsonl")
}

// Texts say much about conversion, numbers after the first few little.
func worthConverting(ty cty.Type, position int) bool {
	switch ty {
	case cty.String:
		return true
	case cty.Number:
		return position < 5 || position%6 == 0
	default:
		return position < 9 || position%4 == 0
	}
}

func conversion(value cty.Value, target cty.Type, found, messages *table) any {
	var answer, message string
	var converted notation
	for try := 0; try < tries(message); try++ {
		result, err, panicked := attempt(func() (cty.Value, error) { return convert.Convert(value, target) })
		var this, thisMessage string
		switch {
		case panicked:
			this = "p"
		case err != nil:
			this, thisMessage = "e", err.Error()
		default:
			converted = describe(result)
			this = text(converted)
		}
		if try == 0 {
			answer, message = this, thisMessage
		}
		if this != answer {
			return "?"
		}
		if thisMessage != message {
			message = ""
		}
	}
	switch answer {
	case "p":
		return "p"
	case "e":
		if message == "" {
			return "e"
		}
		return fmt.Sprintf("e%d", messages.number(message))
	default:
		return found.number(converted)
	}
}

// writeUnifications: a table of types, then lines of the numbers of some of them and of what they unify to, safely and
// unsafely: a type, null for none, or "?" where the result varies.
func writeUnifications() {
	all := append(append([]cty.Type{}, valueTypes...), targetTypes...)
	var out lines
	var types []json.RawMessage
	for _, ty := range all {
		types = append(types, typeJSON(ty))
	}
	out.add(types)
	var results table
	var rows [][]int
	add := func(numbers ...int) {
		chosen := make([]cty.Type, len(numbers))
		for i, number := range numbers {
			chosen[i] = all[number]
		}
		safe, unsafe := unification(chosen, convert.Unify), unification(chosen, convert.UnifyUnsafe)
		rows = append(rows, append(numbers, results.number(safe), results.number(unsafe)))
	}
	for i := range all {
		add(i)
		for j := range all {
			if j <= i || j%3 == i%3 {
				add(i, j)
			}
		}
	}
	few := []int{0, 1, 2, 3, 6, 9, 10, 12, 13, 14, 16, 19, 22, 46, 55}
	for _, i := range few {
		for _, j := range few {
			for _, k := range few {
				if i <= j {
					add(i, k, j)
				}
			}
		}
	}
	out.add(results.texts)
	for _, row := range rows {
		out.add(row)
	}
	out.save("unifications.jsonl")
}

func unification(types []cty.Type, unify func([]cty.Type) (cty.Type, []convert.Conversion)) any {
	var answer string
	var result any
	for try := range tries("") {
		result = nil
		_, _, panicked := attempt(func() (cty.Value, error) {
			if ty, _ := unify(types); ty != cty.NilType {
				result = typeJSON(ty)
			}
			return cty.NilVal, nil
		})
		if panicked {
			return "?"
		}
		if this := text(result); try == 0 {
			answer = this
		} else if this != answer {
			return "?"
		}
	}
	return result
}
