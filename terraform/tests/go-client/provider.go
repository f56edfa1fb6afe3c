package main

import "github.com/hashicorp/terraform-plugin-go/tftypes"

// provider is one of those that the host knows: what to ask it, and how to read what it answers.
type provider struct {
	// calls is a short life of every component; what the provider lacks is called as well.
	calls func(protocol int) []call
	// types says what a dynamic value can be from the field that holds it.
	types map[string][]tftypes.Type
}

var providers = map[string]provider{
	"sqlite": {sqliteCalls, sqliteTypes},
	"tiny":   {tinyCalls, tinyTypes},
}

// message is a protobuf message as JSON.
type message = map[string]any

// call is one procedure by its name in protocol 6, with one request or, where the client streams, several.
type call struct {
	method   string
	requests []message
	// as is what the answer is called where the procedure is called more than once.
	as string
	// from is what the request has from earlier answers.
	from func(answers map[string]any) message
}

func one(method string, request message) call {
	return call{method: method, requests: []message{request}}
}

// with is the message with more fields.
func (c call) with(answers map[string]any) []message {
	if c.from == nil {
		return c.requests
	}
	merged := message{}
	for _, part := range []message{c.requests[0], c.from(answers)} {
		for name, value := range part {
			merged[name] = value
		}
	}
	return []message{merged}
}

// namesIn5 are the procedures that protocol 5 knows by another name.
var namesIn5 = map[string]string{
	"ConfigureProvider":          "Configure",
	"GetProviderSchema":          "GetSchema",
	"StopProvider":               "Stop",
	"ValidateDataResourceConfig": "ValidateDataSourceConfig",
	"ValidateProviderConfig":     "PrepareProviderConfig",
	"ValidateResourceConfig":     "ValidateResourceTypeConfig",
}

func object(attributes ...any) tftypes.Object {
	types := map[string]tftypes.Type{}
	for i := 0; i < len(attributes); i += 2 {
		types[attributes[i].(string)] = attributes[i+1].(tftypes.Type)
	}
	return tftypes.Object{AttributeTypes: types}
}
