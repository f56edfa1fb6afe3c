//! The provider that a builder makes, asked as a host asks it.

pub(crate) mod fixtures;
mod hub;
mod kinds;
mod objects;
mod panics;
mod random;
mod safety;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::cty::{Marks, Type, Value};
use denobridge_core::provider::*;
use denobridge_core::schema::{Attribute, Block, Schema};
use denobridge_core::{Call, Diagnostic, Diagnostics, DynamicValue, Provider};

use crate::erased::{Create, Delete, Import, ImportTarget, Read, Update};
use crate::{BuildError, Context, ErasedResource, Outcome, ProviderBuilder};

const TYPE: &str = "test_thing";

/// Does what its `name` says.
struct Thing;

fn attribute(name: &str, change: impl FnOnce(&mut Attribute)) -> Attribute {
    let mut attribute = Attribute::new(name, Type::String);
    change(&mut attribute);
    attribute
}

#[async_trait]
impl ErasedResource for Thing {
    fn schema(&self) -> Schema {
        let attributes = vec![
            attribute("name", |a| a.required = true),
            attribute("secret", |a| (a.computed, a.sensitive) = (true, true)),
        ];
        Schema { version: 2, block: Block { attributes, ..Block::default() } }
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        match name(config).as_str() {
            "invalid" => Diagnostic::error("invalid name", "").into(),
            "panic in validate" => panic!("validate"),
            _ => Diagnostics::new(),
        }
    }

    async fn create(&self, context: &Context, request: Create<'_>) -> Outcome {
        let made = request.planned.clone().with_attribute("secret", Value::string("s"));
        match name(&request.planned).as_str() {
            "panic" => panic!("deliberate {}", 1),
            "half" => Outcome { state: Some(made), diagnostics: Diagnostic::error("half made", "").into() },
            "unknown" => Outcome::of(request.planned),
            "nothing" => Outcome::default(),
            "slow" => {
                context.call().cancellation().cancelled().await;
                Outcome { state: Some(made), diagnostics: Diagnostic::error("stopped", "").into() }
            }
            _ => {
                request.private.set("made", &true).unwrap();
                Outcome::of(made)
            }
        }
    }

    async fn read(&self, _: &Context, request: Read<'_>) -> Outcome {
        match name(&request.state).as_str() {
            "gone" => Outcome::default(),
            "unreachable" => Outcome::failed(Diagnostic::error("unreachable", "")),
            "panic" => panic!("read"),
            _ => Outcome::of(request.state),
        }
    }

    async fn update(&self, _: &Context, request: Update<'_>) -> Outcome {
        match name(&request.planned).as_str() {
            "refused" => Outcome::failed(Diagnostic::error("refused", "")),
            _ => Outcome::of(request.planned.with_attribute("secret", Value::string("s2"))),
        }
    }

    async fn delete(&self, _: &Context, request: Delete<'_>) -> Diagnostics {
        match name(&request.prior).as_str() {
            "protected" => Diagnostic::error("protected", "").into(),
            _ => Diagnostics::new(),
        }
    }

    async fn import(&self, _: &Context, request: Import<'_>) -> Outcome {
        let ImportTarget::Id(id) = request.target;
        request.private.set("imported", &id).unwrap();
        Outcome::of(thing(id, Value::null(Type::String)))
    }
}

fn name(value: &Value) -> String {
    value.attribute("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn thing(name: &str, secret: Value) -> Value {
    Value::object([("name", Value::string(name)), ("secret", secret)])
}

fn made(name: &str) -> Value {
    thing(name, Value::string("s"))
}

fn null() -> Value {
    Value::null(Thing.schema().implied_type())
}

fn provider() -> impl Provider {
    ProviderBuilder::new("test").resource(TYPE, Box::new(Thing)).build().unwrap()
}

async fn apply(prior: Value, planned: Value) -> ApplyResourceChangeResponse {
    let request = ApplyResourceChangeRequest {
        type_name: TYPE.into(),
        config: planned.clone().into(),
        prior_state: prior.into(),
        planned_state: planned.into(),
        planned_private: Bytes::from_static(br#"{"old":"dHJ1ZQ=="}"#),
        ..Default::default()
    };
    provider().apply_resource_change(&Call::new(), request).await.unwrap()
}

async fn create(name: &str) -> ApplyResourceChangeResponse {
    apply(null(), thing(name, Value::unknown(Type::String))).await
}

fn state(value: &DynamicValue) -> Value {
    value.decode(&Thing.schema().implied_type()).unwrap().without_marks_deep()
}

fn summaries(diagnostics: &Diagnostics) -> Vec<&str> {
    diagnostics.iter().map(|diagnostic| diagnostic.summary.as_str()).collect()
}

#[tokio::test]
async fn names_and_capabilities_agree_everywhere() {
    let provider = provider();
    let metadata = provider.get_metadata(&Call::new(), GetMetadataRequest {}).await.unwrap();
    let schema = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap();
    assert_eq!(metadata.server_capabilities, schema.server_capabilities);
    assert!(metadata.resources.iter().eq(schema.schema.resources.keys()));
    let again = provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await.unwrap();
    assert!(Arc::ptr_eq(&schema.schema, &again.schema), "the schema is made once");
}

#[test]
fn two_components_of_one_name_are_refused() {
    let builder = ProviderBuilder::new("test").resource(TYPE, Box::new(Thing)).resource(TYPE, Box::new(Thing));
    let error = builder.build().map(|_| ()).unwrap_err();
    assert!(matches!(&error, BuildError::Duplicate { name, .. } if name == TYPE), "{error}");
}

#[tokio::test]
async fn a_type_that_is_not_there_is_a_diagnostic() {
    for (type_name, summary) in [("", "Invalid request"), ("test_other", "Resource type not found")] {
        let request = ReadResourceRequest { type_name: type_name.into(), ..Default::default() };
        let response = provider().read_resource(&Call::new(), request).await.unwrap();
        assert_eq!(summaries(&response.diagnostics), [summary]);
    }
}

#[tokio::test]
async fn creation_update_and_deletion_are_told_apart_by_what_is_null() {
    let response = create("a").await;
    assert_eq!(state(&response.new_state), made("a"));
    assert_eq!(response.private, Bytes::from_static(br#"{"made":"dHJ1ZQ==","old":"dHJ1ZQ=="}"#));
    let response = apply(made("a"), thing("b", Value::unknown(Type::String))).await;
    assert_eq!(state(&response.new_state), thing("b", Value::string("s2")));
    let response = apply(made("a"), null()).await;
    assert!(response.new_state.is_null() && response.private.is_empty() && response.diagnostics.is_empty());
}

#[tokio::test]
async fn what_cannot_be_decoded_is_no_deletion() {
    let broken = DynamicValue::MessagePack(Bytes::from_static(&[0xff]));
    let request = ApplyResourceChangeRequest {
        type_name: TYPE.into(),
        prior_state: made("a").into(),
        planned_state: broken,
        ..Default::default()
    };
    let response = provider().apply_resource_change(&Call::new(), request).await.unwrap();
    assert_eq!(state(&response.new_state), made("a"));
    assert_eq!(summaries(&response.diagnostics), ["The planned state of test_thing cannot be read"]);
}

#[tokio::test]
async fn a_panic_is_a_diagnostic() {
    let response = create("panic").await;
    assert!(response.new_state.is_null());
    let diagnostic = response.diagnostics.iter().next().unwrap();
    assert_eq!(diagnostic.summary, "The creation of test_thing failed");
    assert!(diagnostic.detail.starts_with("The provider panicked: deliberate 1\n"), "{}", diagnostic.detail);
}

#[tokio::test]
async fn state_and_errors_come_together() {
    let response = create("half").await;
    assert_eq!(state(&response.new_state), made("half"));
    assert_eq!(summaries(&response.diagnostics), ["half made"]);
}

#[tokio::test]
async fn what_is_unknown_after_apply_is_null_and_an_error() {
    let response = create("unknown").await;
    assert_eq!(state(&response.new_state), thing("unknown", Value::null(Type::String)));
    let diagnostic = response.diagnostics.iter().next().unwrap();
    assert_eq!(diagnostic.attribute.to_string(), "secret");
}

#[tokio::test]
async fn neither_a_state_nor_an_error_is_an_error() {
    let response = create("nothing").await;
    assert!(response.new_state.is_null() && response.diagnostics.has_errors());
}

#[tokio::test]
async fn failed_changes_leave_the_object_as_it_was() {
    let response = apply(made("a"), thing("refused", Value::unknown(Type::String))).await;
    assert_eq!(state(&response.new_state), made("a"));
    assert_eq!(response.private, Bytes::from_static(br#"{"old":"dHJ1ZQ=="}"#));
    let response = apply(made("protected"), null()).await;
    assert_eq!(state(&response.new_state), made("protected"));
    assert_eq!(response.private, Bytes::from_static(br#"{"old":"dHJ1ZQ=="}"#));
}

#[tokio::test]
async fn secrets_leave_with_a_mark() {
    let response = create("a").await;
    let DynamicValue::Value(value) = &response.new_state else { panic!("it is not encoded") };
    assert_eq!(value.attribute("secret").unwrap().marks(), Marks::SENSITIVE);
}

async fn read(name: &str) -> ReadResourceResponse {
    let private = Bytes::from_static(br#"{ "old": "dHJ1ZQ==" }"#);
    let request =
        ReadResourceRequest { type_name: TYPE.into(), current_state: made(name).into(), private, ..Default::default() };
    provider().read_resource(&Call::new(), request).await.unwrap()
}

#[tokio::test]
async fn a_read_gives_private_data_back_and_keeps_what_it_cannot_reach() {
    for (name, exists, summary) in [
        ("a", true, None),
        ("gone", false, None),
        ("unreachable", true, Some("unreachable")),
        ("panic", true, Some("The read of test_thing failed")),
    ] {
        let response = read(name).await;
        assert_eq!(!response.new_state.is_null(), exists, "{name}");
        assert_eq!(response.private, Bytes::from_static(br#"{ "old": "dHJ1ZQ==" }"#), "{name}: byte for byte");
        assert_eq!(summaries(&response.diagnostics), summary.into_iter().collect::<Vec<_>>(), "{name}");
    }
}

async fn plan(name: &str) -> PlanResourceChangeResponse {
    let config = thing(name, Value::null(Type::String));
    let request = PlanResourceChangeRequest {
        type_name: TYPE.into(),
        prior_state: null().into(),
        proposed_new_state: config.clone().into(),
        config: config.into(),
        ..Default::default()
    };
    provider().plan_resource_change(&Call::new(), request).await.unwrap()
}

#[tokio::test]
async fn an_invalid_configuration_is_not_planned() {
    let response = plan("invalid").await;
    assert!(response.planned_state.is_null());
    assert_eq!(summaries(&response.diagnostics), ["invalid name"]);
    let response = plan("panic in validate").await;
    assert_eq!(summaries(&response.diagnostics), ["The validation of test_thing failed"]);
    assert!(!plan("a").await.diagnostics.has_errors());
}

async fn upgrade(version: i64, json: &'static str) -> UpgradeResourceStateResponse {
    let raw_state = RawState { json: Bytes::from_static(json.as_bytes()), ..RawState::default() };
    let request = UpgradeResourceStateRequest { type_name: TYPE.into(), version, raw_state };
    provider().upgrade_resource_state(&Call::new(), request).await.unwrap()
}

#[tokio::test]
async fn a_state_of_this_version_may_have_other_attributes() {
    let response = upgrade(2, r#"{"name":"a","of_later":1}"#).await;
    assert!(response.diagnostics.is_empty(), "{:?}", response.diagnostics);
    assert_eq!(state(&response.upgraded_state), thing("a", Value::null(Type::String)));
}

#[tokio::test]
async fn states_that_cannot_be_read_are_named() {
    for (version, json, summary) in [
        (1, "{}", "The stored state is too old"),
        (3, "{}", "The stored state is too new"),
        (2, "{", "The stored state of a test_thing cannot be read"),
        (2, "", "The stored state of a test_thing cannot be read"),
        (2, r#"{"name":[]}"#, "The stored state of a test_thing cannot be read"),
    ] {
        let response = upgrade(version, json).await;
        assert_eq!(summaries(&response.diagnostics), [summary], "{json}");
    }
}

#[tokio::test]
async fn a_state_of_another_type_is_told_with_what_to_do() {
    let response = upgrade(2, r#"{"name":[]}"#).await;
    let detail = &response.diagnostics.iter().next().unwrap().detail;
    assert!(detail.starts_with("\"name\" does not fit the schema: string is required. It was stored by"), "{detail}");
    assert!(detail.ends_with("or a later one whose schema has a higher version."), "{detail}");
}

#[tokio::test]
async fn an_import_brings_state_and_private_data() {
    let request = ImportResourceStateRequest { type_name: TYPE.into(), id: "a".to_owned(), ..Default::default() };
    let response = provider().import_resource_state(&Call::new(), request).await.unwrap();
    let imported = &response.imported_resources[0];
    assert_eq!(state(&imported.state), thing("a", Value::null(Type::String)));
    assert_eq!(imported.private, Bytes::from_static(br#"{"imported":"ImEi"}"#));
}

#[tokio::test]
async fn stopping_ends_what_runs_and_nothing_else() {
    let provider = Arc::new(provider());
    let running = tokio::spawn({
        let provider = Arc::clone(&provider);
        async move {
            let planned = thing("slow", Value::unknown(Type::String));
            let request = ApplyResourceChangeRequest {
                type_name: TYPE.into(),
                config: planned.clone().into(),
                prior_state: null().into(),
                planned_state: planned.into(),
                ..Default::default()
            };
            provider.apply_resource_change(&Call::new(), request).await.unwrap()
        }
    });
    tokio::task::yield_now().await;
    provider.stop_provider(&Call::new(), StopProviderRequest {}).await.unwrap();
    let response = tokio::time::timeout(Duration::from_secs(1), running).await.unwrap().unwrap();
    assert_eq!(state(&response.new_state), made("slow"), "what was made is kept");
    assert!(!read("a").await.diagnostics.has_errors());
}
