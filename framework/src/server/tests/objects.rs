//! Identity, upgrades, moves and generated configuration of managed resources.

use bytes::Bytes;
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::{Call, DynamicValue, Provider};

use super::fixtures::*;
use super::summaries;

fn identity(id: Value) -> DynamicValue {
    Value::object([("id", id)]).into()
}

fn known(id: &str) -> Option<DynamicValue> {
    Some(identity(Value::string(id)))
}

fn null() -> DynamicValue {
    Value::null(schema().implied_type()).into()
}

#[tokio::test]
async fn f49_a_new_object_gets_its_identity_when_it_is_made() {
    let request = PlanResourceChangeRequest {
        type_name: "test_object".into(),
        prior_state: null(),
        proposed_new_state: config("x").into(),
        config: config("x").into(),
        ..Default::default()
    };
    let plan = provider().plan_resource_change(&Call::new(), request).await.unwrap();
    assert_eq!(plan.planned_identity, None, "it is not known yet, and OpenTofu cannot record what is unknown in it");
    let request = ApplyResourceChangeRequest {
        type_name: "test_object".into(),
        prior_state: null(),
        planned_state: plan.planned_state,
        config: config("x").into(),
        planned_identity: plan.planned_identity,
        ..Default::default()
    };
    let applied = provider().apply_resource_change(&Call::new(), request).await.unwrap();
    assert!(applied.diagnostics.is_empty(), "{:?}", applied.diagnostics);
    assert_eq!(applied.new_identity, known("1"));
}

async fn read(does: &str, current_identity: Option<DynamicValue>) -> ReadResourceResponse {
    let current_state = object(does, Value::string("1")).into();
    let request =
        ReadResourceRequest { type_name: "test_object".into(), current_state, current_identity, ..Default::default() };
    provider().read_resource(&Call::new(), request).await.unwrap()
}

#[tokio::test]
async fn f49_the_identity_of_an_object_does_not_change() {
    assert_eq!(read("x", None).await.new_identity, known("1"));
    let response = read("rename", known("1")).await;
    assert!(details(&response.diagnostics).contains("changed the identity"), "{:?}", response.diagnostics);
    assert_eq!(response.new_identity, known("1"));
    assert_eq!(read("fail", known("1")).await.new_identity, known("1"), "what cannot be reached keeps its identity");
}

async fn import(type_name: &str, id: &str, identity: Option<DynamicValue>) -> ImportResourceStateResponse {
    let request =
        ImportResourceStateRequest { type_name: type_name.into(), id: id.to_owned(), identity, ..Default::default() };
    provider().import_resource_state(&Call::new(), request).await.unwrap()
}

#[tokio::test]
async fn f49_objects_are_imported_by_id_and_by_identity() {
    for (id, identity) in [("7", None), ("", known("7"))] {
        let response = import("test_object", id, identity).await;
        assert!(response.diagnostics.is_empty(), "{:?}", response.diagnostics);
        assert_eq!(response.imported_resources[0].identity, known("7"));
    }
    let without = import("test_object", "", Some(identity(Value::null(Type::String)))).await;
    assert_eq!(summaries(&without.diagnostics), ["Missing part of the identity"]);
    let plain = import("test_plain", "", known("7")).await;
    assert_eq!(summaries(&plain.diagnostics), ["Import by identity is not supported"]);
}

fn raw(json: &'static str) -> RawState {
    RawState { json: Bytes::from_static(json.as_bytes()), ..RawState::default() }
}

#[tokio::test]
async fn f49_a_state_goes_through_every_version() {
    for (version, json) in [(0, r#"{"was":"it"}"#), (1, r#"{"v1":"it"}"#), (2, r#"{"does":"it"}"#)] {
        let request = UpgradeResourceStateRequest { type_name: "test_object".into(), version, raw_state: raw(json) };
        let response = provider().upgrade_resource_state(&Call::new(), request).await.unwrap();
        assert!(response.diagnostics.is_empty(), "{:?}", response.diagnostics);
        let state = response.upgraded_state.decode(&schema().implied_type()).unwrap();
        assert_eq!(does(&state), "it", "version {version}");
    }
}

#[tokio::test]
async fn f49_identities_are_upgraded() {
    for (version, json, fails) in [
        (0, r#"{"name":"7"}"#, false),
        (1, r#"{"id":"7"}"#, false),
        (2, r#"{"id":"7"}"#, true),
        (1, r#"{"id":[]}"#, true),
        (1, "{", true),
    ] {
        let request =
            UpgradeResourceIdentityRequest { type_name: "test_object".into(), version, raw_identity: raw(json) };
        let response = provider().upgrade_resource_identity(&Call::new(), request).await.unwrap();
        assert_eq!(response.diagnostics.has_errors(), fails, "{version} {json}: {:?}", response.diagnostics);
        if !fails {
            assert_eq!(Some(response.upgraded_identity), known("7"));
        }
    }
}

#[tokio::test]
async fn f49_objects_of_another_type_are_taken_over() {
    let schema = provider().get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap();
    assert!(schema.server_capabilities.move_resource_state);
    for (source_type_name, address, summary) in [
        ("old_thing", "registry.terraform.io/other/old", None),
        ("old_thing", "registry.terraform.io/another/old", Some("The resource cannot be moved")),
        ("new_thing", "registry.terraform.io/other/old", Some("The resource cannot be moved")),
    ] {
        let request = MoveResourceStateRequest {
            source_provider_address: address.to_owned(),
            source_type_name: source_type_name.to_owned(),
            source_state: raw(r#"{"name":"7"}"#),
            target_type_name: "test_object".into(),
            ..Default::default()
        };
        let response = provider().move_resource_state(&Call::new(), request).await.unwrap();
        assert_eq!(summaries(&response.diagnostics), summary.into_iter().collect::<Vec<_>>(), "{address}");
        if summary.is_none() {
            assert_eq!(response.target_identity, known("7"));
            assert_eq!(response.target_private, Bytes::from_static(br#"{"from":"Im9sZF90aGluZyI="}"#));
        }
    }
}

#[tokio::test]
async fn f49_a_configuration_is_written_without_what_only_the_provider_sets() {
    let state = object("x", Value::string("1")).into();
    let request = GenerateResourceConfigRequest { type_name: "test_object".into(), state };
    let response = provider().generate_resource_config(&Call::new(), request).await.unwrap();
    let config = response.config.decode(&schema().implied_type()).unwrap();
    assert!(config.attribute("id").unwrap().is_null());
    assert_eq!(does(&config), "x");
}

#[tokio::test]
async fn f49_a_resource_puts_off_its_plan_where_the_host_can_wait() {
    for (deferral_allowed, expected) in [(true, Some(Deferred::ResourceConfigUnknown)), (false, None)] {
        let request = PlanResourceChangeRequest {
            type_name: "test_plain".into(),
            prior_state: null(),
            proposed_new_state: config("defer").into(),
            config: config("defer").into(),
            client_capabilities: ClientCapabilities { deferral_allowed, ..ClientCapabilities::default() },
            ..Default::default()
        };
        let response = provider().plan_resource_change(&Call::new(), request).await.unwrap();
        assert_eq!(response.deferred, expected);
        assert!(!response.planned_state.is_null() && !response.diagnostics.has_errors());
    }
}
