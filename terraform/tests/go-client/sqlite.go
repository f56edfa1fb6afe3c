package main

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	sqliteProvider = object("busy_timeout", tftypes.Number, "file", tftypes.String, "token_lifetime", tftypes.Number)
	sqliteMeta     = object("author", tftypes.String)
	sqliteColumn   = object("default", tftypes.String, "required", tftypes.Bool, "type", tftypes.String)
	sqliteTable    = object(
		"columns", tftypes.Map{ElementType: sqliteColumn}, "id", tftypes.String, "name", tftypes.String,
	)
	sqliteRow = object(
		"id", tftypes.String, "number", tftypes.Number, "secrets", tftypes.Map{ElementType: tftypes.String},
		"secrets_version", tftypes.Number, "sensitive_values", tftypes.Map{ElementType: tftypes.String},
		"table", tftypes.String, "values", tftypes.DynamicPseudoType,
	)
	sqliteRowIdentity = object("number", tftypes.Number, "table", tftypes.String)
	sqliteQuery       = object(
		"parameters", tftypes.List{ElementType: tftypes.String}, "rows", tftypes.DynamicPseudoType,
		"sql", tftypes.String,
	)
	sqliteToken  = object("purpose", tftypes.String, "value", tftypes.String)
	sqliteBackup = object("pages_per_step", tftypes.Number, "to", tftypes.String)
	sqliteSearch = object("columns", tftypes.List{ElementType: tftypes.String}, "table", tftypes.String)

	sqliteTypes = map[string][]tftypes.Type{
		"config":          {sqliteRow},
		"identity_data":   {sqliteRowIdentity},
		"new_state":       {sqliteRow, sqliteTable},
		"planned_state":   {sqliteRow, sqliteTable},
		"resource_object": {sqliteRow},
		"result":          {tftypes.String, sqliteToken},
		"state":           {sqliteQuery, sqliteRow},
		"target_state":    {sqliteTable},
		"upgraded_state":  {sqliteTable},
	}
)

// sqliteBook is the row of the book, under this id and number.
func sqliteBook(id, number, secrets any) message {
	title := build(object("title", tftypes.String), map[string]any{"title": "One"})
	return dynamic(sqliteRow, map[string]any{
		"id": id, "number": number, "table": "books", "values": title, "secrets": secrets,
	})
}

// sqliteCalls expects a table books with a text column title in the file library.db.
func sqliteCalls(int) []call {
	configuration := dynamic(sqliteProvider, map[string]any{"file": "library.db", "token_lifetime": 600})
	meta := dynamic(sqliteMeta, map[string]any{"author": "librarian"})
	book := sqliteBook(nil, nil, map[string]any{"pin": "canary"})
	absent := dynamic(sqliteRow, nil)
	identity := message{"identity_data": dynamic(sqliteRowIdentity, map[string]any{"number": 1, "table": "books"})}
	table := dynamic(sqliteTable, map[string]any{"columns": map[string]any{"title": map[string]any{"type": "text"}}, "name": "books"})
	query := dynamic(sqliteQuery, map[string]any{"sql": "SELECT title, length(pin) AS pin FROM books"})
	token := message{"type_name": "sqlite_token", "config": dynamic(sqliteToken, map[string]any{"purpose": "loan"})}
	search := dynamic(sqliteSearch, map[string]any{"columns": []any{"title"}, "table": "books"})
	backup := message{
		"action_type": "sqlite_backup", "config": dynamic(sqliteBackup, map[string]any{"pages_per_step": 1, "to": "copy.db"}),
	}

	resource := []call{
		one("ValidateResourceConfig", message{"type_name": "sqlite_row", "config": book}),
		one("PlanResourceChange", message{
			"type_name": "sqlite_row", "prior_state": absent, "proposed_new_state": book, "config": book,
			"provider_meta": meta,
		}),
		{as: "PlanResourceChange of a table", method: "PlanResourceChange", requests: []message{{
			"type_name": "sqlite_table", "prior_state": dynamic(sqliteTable, nil), "proposed_new_state": table,
			"config": table,
		}}},
		one("ApplyResourceChange", message{
			"type_name": "sqlite_row", "prior_state": absent, "config": book, "provider_meta": meta,
			"planned_state": sqliteBook(tftypes.UnknownValue, tftypes.UnknownValue, nil),
		}),
		one("ReadResource", message{
			"type_name": "sqlite_row", "current_state": sqliteBook("books/1", 1, nil), "current_identity": identity,
		}),
		one("UpgradeResourceState", message{"type_name": "sqlite_table", "raw_state": stored(
			`{"id":"books","name":"books","columns":["title text"]}`,
		)}),
		one("UpgradeResourceIdentity", message{"type_name": "sqlite_row", "raw_identity": stored(
			`{"table":"books","number":1}`,
		)}),
		one("ImportResourceState", message{"type_name": "sqlite_row", "id": "books/1:title"}),
		{as: "ImportResourceState by identity", method: "ImportResourceState", requests: []message{{
			"type_name": "sqlite_row", "identity": identity,
		}}},
		one("GenerateResourceConfig", message{"type_name": "sqlite_row", "state": sqliteBook("books/1", 1, nil)}),
		one("MoveResourceState", message{
			"source_provider_address": "terraform.io/builtin/terraform", "source_type_name": "terraform_data",
			"target_type_name": "sqlite_table",
			"source_state":     stored(`{"id":"8a0e","input":{"type":"string","value":"books"}}`),
		}),
	}
	others := []call{
		one("ValidateDataResourceConfig", message{"type_name": "sqlite_query", "config": query}),
		one("ReadDataSource", message{"type_name": "sqlite_query", "config": query, "provider_meta": meta}),
		one("ValidateEphemeralResourceConfig", token),
		one("OpenEphemeralResource", token),
		{method: "RenewEphemeralResource", requests: []message{{"type_name": "sqlite_token"}},
			from: sqlitePrivateOf("OpenEphemeralResource")},
		{method: "CloseEphemeralResource", requests: []message{{"type_name": "sqlite_token"}},
			from: sqlitePrivateOf("RenewEphemeralResource")},
		one("CallFunction", message{
			"name": "select", "arguments": []any{dynamic(tftypes.String, "books"), dynamic(tftypes.String, `a"b`)},
		}),
		one("ValidateListResourceConfig", message{"type_name": "sqlite_row", "config": search}),
		one("ListResource", message{
			"type_name": "sqlite_row", "config": search, "include_resource_object": true, "limit": 10,
		}),
		one("ValidateActionConfig", backup),
		one("PlanAction", backup),
		one("InvokeAction", backup),
	}
	all := []call{
		one("GetMetadata", message{}),
		one("GetProviderSchema", message{}),
		one("GetResourceIdentitySchemas", message{}),
		one("GetFunctions", message{}),
		one("ValidateProviderConfig", message{"config": configuration}),
		one("ConfigureProvider", message{"terraform_version": "1.14.0", "config": configuration}),
	}
	all = append(append(append(all, resource...), others...), sqliteStateCalls()...)
	return append(all, one("StopProvider", message{}))
}

func sqliteStateCalls() []call {
	store := func(more message) message {
		more["type_name"] = "sqlite_states"
		return more
	}
	config := dynamic(emptyType, map[string]any{})
	return []call{
		one("ValidateStateStoreConfig", store(message{"config": config})),
		one("ConfigureStateStore", store(message{"config": config, "capabilities": message{"chunk_size": 4}})),
		one("LockState", store(message{"state_id": "default", "operation": "plan"})),
		{method: "WriteStateBytes", requests: []message{
			{
				"meta": store(message{"state_id": "default"}), "bytes": "YWJjZA==", "total_length": 6,
				"range": message{"start": 0, "end": 3},
			},
			{"bytes": "ZWY=", "total_length": 6, "range": message{"start": 4, "end": 5}},
		}},
		one("ReadStateBytes", store(message{"state_id": "default"})),
		one("GetStates", store(message{})),
		{
			method: "UnlockState", requests: []message{store(message{"state_id": "default"})},
			from: func(answers map[string]any) message {
				return message{"lock_id": answers["LockState"].(message)["lock_id"]}
			},
		},
		one("DeleteState", store(message{"state_id": "default"})),
	}
}

// sqlitePrivateOf takes over the private data of an earlier answer.
func sqlitePrivateOf(method string) func(map[string]any) message {
	return func(answers map[string]any) message {
		return message{"private": answers[method].(message)["private"]}
	}
}
