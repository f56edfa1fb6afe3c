package main

import (
	"encoding/base64"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var (
	endpointType = object("url", tftypes.String)
	providerType = object("endpoint", tftypes.List{ElementType: endpointType})
	noteType     = object("id", tftypes.String, "path", tftypes.String, "text", tftypes.String)
	identityType = object("path", tftypes.String)
	lengthType   = object("length", tftypes.Number, "text", tftypes.String)
	tokenType    = object("for", tftypes.String, "token", tftypes.String)
	filterType   = object("filter", tftypes.String)
	storeType    = object("prefix", tftypes.String)
	emptyType    = object()

	// An answer has but one component's values.
	tinyTypes = map[string][]tftypes.Type{
		"identity_data":   {identityType},
		"new_state":       {noteType},
		"planned_state":   {noteType},
		"prepared_config": {providerType},
		"resource_object": {noteType},
		"result":          {tftypes.String, tokenType},
		"state":           {lengthType, noteType},
		"upgraded_state":  {noteType},
	}
)

func note(id any) message {
	return dynamic(noteType, map[string]any{"id": id, "path": "a.txt", "text": "one"})
}

func identity() message {
	return message{"identity_data": dynamic(identityType, map[string]any{"path": "a.txt"})}
}

func tinyCalls(protocol int) []call {
	nothing := message{}
	configuration := dynamic(providerType, map[string]any{"endpoint": []any{map[string]any{"url": "http://localhost"}}})
	private := base64.StdEncoding.EncodeToString([]byte("{}"))
	absent := dynamic(noteType, nil)
	action := message{"action_type": "tiny_ring", "config": dynamic(emptyType, map[string]any{})}
	list := dynamic(filterType, map[string]any{"filter": nil})
	token := message{"type_name": "tiny_token", "config": dynamic(tokenType, map[string]any{"for": "me", "token": nil})}
	length := dynamic(lengthType, map[string]any{"length": nil, "text": "four"})
	store := func(more message) message {
		request := message{"type_name": "tiny_store"}
		for name, value := range more {
			request[name] = value
		}
		return request
	}
	opened := base64.StdEncoding.EncodeToString([]byte("opened"))
	state := stored(`{"id":"a.txt","path":"a.txt","text":"one"}`)
	storeConfig := dynamic(storeType, map[string]any{"prefix": nil})

	all := []call{
		one("GetMetadata", nothing),
		one("GetProviderSchema", nothing),
		one("GetResourceIdentitySchemas", nothing),
		one("GetFunctions", nothing),
		one("ValidateProviderConfig", message{"config": configuration}),
		one("ConfigureProvider", message{"terraform_version": "1.14.0", "config": configuration}),
		one("ValidateResourceConfig", message{"type_name": "tiny_note", "config": note(nil)}),
		one("PlanResourceChange", message{
			"type_name": "tiny_note", "prior_state": absent, "proposed_new_state": note(nil), "config": note(nil),
			"prior_private": private,
		}),
		one("ApplyResourceChange", message{
			"type_name": "tiny_note", "prior_state": absent, "planned_state": note(tftypes.UnknownValue),
			"config": note(nil), "planned_private": private, "planned_identity": identity(),
		}),
		one("ReadResource", message{
			"type_name": "tiny_note", "current_state": note("a.txt"), "private": private, "current_identity": identity(),
		}),
		one("UpgradeResourceState", message{"type_name": "tiny_note", "raw_state": state}),
		one("UpgradeResourceIdentity", message{"type_name": "tiny_note", "raw_identity": state}),
		one("ImportResourceState", message{"type_name": "tiny_note", "id": "a.txt"}),
		one("GenerateResourceConfig", message{"type_name": "tiny_note", "state": note("a.txt")}),
		one("MoveResourceState", message{"target_type_name": "tiny_note", "source_state": state}),
		one("ValidateDataResourceConfig", message{"type_name": "tiny_length", "config": length}),
		one("ReadDataSource", message{"type_name": "tiny_length", "config": length}),
		one("ValidateEphemeralResourceConfig", token),
		one("OpenEphemeralResource", token),
		one("RenewEphemeralResource", message{"type_name": "tiny_token", "private": opened}),
		one("CloseEphemeralResource", message{"type_name": "tiny_token", "private": opened}),
		one("CallFunction", message{"name": "shout", "arguments": []any{dynamic(tftypes.String, "hé")}}),
		one("ValidateListResourceConfig", message{"type_name": "tiny_note", "config": list}),
		one("ListResource", message{
			"type_name": "tiny_note", "config": list, "include_resource_object": true, "limit": 1,
		}),
		one("ValidateActionConfig", action),
		one("PlanAction", action),
		one("InvokeAction", action),
	}
	if protocol == 6 {
		all = append(all,
			one("ValidateStateStoreConfig", store(message{"config": storeConfig})),
			one("ConfigureStateStore", store(message{"config": storeConfig, "capabilities": message{"chunk_size": 9}})),
			call{method: "WriteStateBytes", requests: []message{
				{
					"meta": store(message{"state_id": "default"}), "bytes": "YWJj", "total_length": 6,
					"range": message{"start": 0, "end": 2},
				},
				{"bytes": "ZGVm", "total_length": 6, "range": message{"start": 3, "end": 5}},
			}},
			one("ReadStateBytes", store(message{"state_id": "default"})),
			one("GetStates", store(nil)),
			one("LockState", store(message{"state_id": "default", "operation": "plan"})),
			one("UnlockState", store(message{"state_id": "default", "lock_id": "1"})),
			one("DeleteState", store(message{"state_id": "default"})),
		)
	}
	return append(all, one("StopProvider", nothing))
}
