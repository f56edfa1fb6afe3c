use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::cty::{Marks, Type, Value};
use denobridge_core::provider::*;
use denobridge_core::recording::{self, Placeholders, Recorder};
use denobridge_core::schema::{Attribute, Block, ProviderSchema, Schema};
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics, DynamicValue, Provider};
use futures::{StreamExt as _, stream};
use prost::Message as _;
use serde_json::{Value as Json, json};

use super::messages::{self, Secrets};
use super::shapes::About;
use super::{Answer, Host, RecordedCall, Recording, Tape, recorded_schema, replay};
use crate::proto::tfplugin6 as pb;

/// Keeps what it is told, quotes it, and is gone when asked about `gone`.
struct Vault;

fn schema() -> ProviderSchema {
    let attribute = |name: &str, ty: Type, secret: bool| {
        let is_id = name == "id";
        Attribute { optional: !is_id, computed: is_id, sensitive: secret, ..Attribute::new(name, ty) }
    };
    let attributes = vec![
        attribute("id", Type::String, false),
        attribute("name", Type::String, false),
        attribute("pin", Type::Number, true),
        attribute("tags", Type::map(Type::String), false),
        attribute("token", Type::String, true),
    ];
    let entry = Schema { version: 0, block: Block { attributes, ..Block::default() } };
    let named = |name: &str| [(Arc::from(name), entry.clone())].into();
    ProviderSchema {
        provider: entry.clone(),
        resources: named("vault_entry"),
        actions: named("vault_open"),
        ..ProviderSchema::default()
    }
}

fn entry(id: Value, name: &str, note: Value) -> Value {
    Value::object([
        ("id", id),
        ("name", Value::string(name)),
        ("pin", Value::number(4711)),
        ("tags", Value::map(Type::String, [("note", note)])),
        ("token", Value::string("canary-by-schema")),
    ])
}

#[async_trait]
impl Provider for Vault {
    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        Ok(GetProviderSchemaResponse { schema: Arc::new(schema()), ..GetProviderSchemaResponse::default() })
    }

    async fn configure_provider(
        &self,
        _: &Call,
        _: ConfigureProviderRequest,
    ) -> Result<ConfigureProviderResponse, CallError> {
        Ok(ConfigureProviderResponse::default())
    }

    async fn apply_resource_change(
        &self,
        _: &Call,
        request: ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, CallError> {
        let said = "stored canary-by-schema, canary-by-mark, Y2FuYXJ5LWJ5LXNjaGVtYQ==";
        Ok(ApplyResourceChangeResponse {
            new_state: request.config,
            private: Bytes::from_static(b"{\"key\":\"canary-in-private\"}"),
            diagnostics: Diagnostics::from(Diagnostic::warning("Told", said)),
            ..ApplyResourceChangeResponse::default()
        })
    }

    async fn read_resource(&self, _: &Call, _: ReadResourceRequest) -> Result<ReadResourceResponse, CallError> {
        Err(CallError::Unavailable { message: "gone with canary-by-schema".to_owned() })
    }

    async fn invoke_action(&self, _: &Call, _: InvokeActionRequest) -> Result<InvokeActionResponse, CallError> {
        let events = [
            InvokeActionEvent::Progress("opening with canary-by-schema".to_owned()),
            InvokeActionEvent::Completed(Diagnostics::new()),
        ];
        Ok(InvokeActionResponse { events: stream::iter(events).boxed() })
    }
}

/// Asks one question of every kind, with a secret that is none by the schema.
async fn ask(provider: &dyn Provider, secret: Value) {
    let call = Call::new();
    let state = entry(Value::string("a1"), "visible", secret);
    let config = || state.clone().into();
    let type_name = || Arc::from("vault_entry");
    let configured = ConfigureProviderRequest { config: config(), ..ConfigureProviderRequest::default() };
    let applied = ApplyResourceChangeRequest {
        type_name: type_name(),
        config: config(),
        planned_state: config(),
        ..Default::default()
    };
    let read = ReadResourceRequest { type_name: type_name(), current_state: config(), ..Default::default() };
    let invoked = InvokeActionRequest { type_name: Arc::from("vault_open"), config: config(), ..Default::default() };
    provider.configure_provider(&call, configured).await.unwrap();
    provider.apply_resource_change(&call, applied).await.unwrap();
    provider.read_resource(&call, read).await.unwrap_err();
    assert_eq!(provider.invoke_action(&call, invoked).await.unwrap().events.count().await, 2);
}

/// The lines of a recording of it.
async fn recorded() -> Vec<Json> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    let recorder = Recorder::new("p1".to_owned(), move |line: &str| kept.lock().unwrap().push(line.to_owned()));
    let provider = Layered(Recording::new(Arc::new(Vault), Arc::new(recorder)));
    ask(&provider, Value::string("canary-by-mark").with_marks(Marks::SECRET)).await;
    let lines = lines.lock().unwrap();
    lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn tape(lines: &[Json]) -> Arc<Tape> {
    let schema = |procedure: &str| {
        lines
            .iter()
            .find(|line| line["kind"] == "schema" && line["procedure"] == procedure)
            .map(|line| &line["response"])
    };
    let identities = schema("GetResourceIdentitySchemas");
    let schema = recorded_schema(schema("GetProviderSchema").unwrap(), identities).unwrap();
    let mut calls: Vec<&Json> = lines.iter().filter(|line| line["kind"] == "seam").collect();
    calls.sort_by_key(|line| line["call"].as_u64());
    let calls = calls.into_iter().map(|line| RecordedCall {
        procedure: line["procedure"].as_str().unwrap().to_owned(),
        resource: line["resource"].as_str().map(str::to_owned),
        request: line["request"].clone(),
        encoded: None,
        answer: match line.get("error") {
            Some(error) => Answer::Error(error.clone()),
            None => Answer::Readable(line["response"].clone()),
        },
    });
    Arc::new(Tape::new(schema, calls.collect()))
}

#[tokio::test]
async fn no_secret_is_in_a_recording_wherever_it_stood() {
    let lines = recorded().await;
    let text: String = lines.iter().map(Json::to_string).collect();
    for secret in ["canary", "Y2FuYXJ5", "4711"] {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let applied = lines.iter().find(|line| line["procedure"] == "ApplyResourceChange").unwrap();
    assert_eq!(applied["response"]["new_state"]["name"], "visible", "what is no secret is readable");
    assert_eq!(applied["request"]["config"], applied["response"]["new_state"], "a secret is the same wherever it is");
    assert_eq!(lines.iter().filter(|line| line["kind"] == "seam").count(), 4);
}

#[tokio::test]
async fn a_recording_answers_as_the_provider_did() {
    let lines = recorded().await;
    let tape = tape(&lines);
    let provider = replay::provider("the vault", Arc::clone(&tape), None);
    // Who plays only has the placeholders.
    let config = &lines.iter().find(|line| line["procedure"] == "ConfigureProvider").unwrap()["request"]["config"];
    let call = Call::new();
    let config: DynamicValue = recording::from_json(config, &schema().provider.implied_type()).unwrap().into();
    let read = ReadResourceRequest {
        type_name: Arc::from("vault_entry"),
        current_state: config.clone(),
        ..ReadResourceRequest::default()
    };
    let error = provider.read_resource(&call, read).await.unwrap_err();
    assert!(matches!(error, CallError::Unavailable { .. }), "{error:?}");
    let invoked = InvokeActionRequest { type_name: Arc::from("vault_open"), config, ..Default::default() };
    let events: Vec<_> = provider.invoke_action(&call, invoked).await.unwrap().events.collect().await;
    let played = format!("{error} {events:?}");
    assert!(played.starts_with("gone with denobridge-secret-"), "{played}");
    assert!(played.contains("opening with denobridge-secret-") && played.contains("Completed"), "{played}");
    assert!(tape.take_unknown().is_empty());
    assert_eq!(tape.unused(), 2);
}

#[tokio::test]
async fn what_terraform_asked_is_asked_again_through_our_door() {
    let tape = tape(&recorded().await);
    let host = Host::new(Arc::clone(&tape), replay::provider("the vault", Arc::clone(&tape), None));
    for call in tape.calls() {
        assert_eq!(host.ask(call).await, Ok(Some(Vec::new())), "{}", call.procedure);
    }
    assert_eq!((tape.unused(), tape.take_unknown().len()), (0, 0));

    // A provider that answers otherwise is told from the one that was recorded.
    let host = Host::new(Arc::clone(&tape), Arc::new(Vault));
    let mut told = Vec::new();
    for call in tape.calls() {
        let differences = host.ask(call).await.unwrap().unwrap();
        told.extend(differences.iter().map(|difference| format!("{} {}", call.procedure, difference.path)));
    }
    let expected = [
        "ApplyResourceChange private.key",
        "ApplyResourceChange diagnostics[0].detail",
        "ReadResource error",
        "InvokeAction events[0].progress.message",
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn what_was_never_asked_has_no_answer() {
    let tape = tape(&recorded().await);
    let provider = replay::provider("the vault", Arc::clone(&tape), None);
    let state = entry(Value::string("a1"), "other", Value::string("c"));
    let read = ReadResourceRequest {
        type_name: Arc::from("vault_entry"),
        current_state: state.into(),
        ..ReadResourceRequest::default()
    };
    provider.read_resource(&Call::new(), read).await.unwrap_err();
    let unknown = tape.take_unknown();
    let told: Vec<_> = unknown[0].differences.iter().flatten().map(|difference| &difference.path).collect();
    assert_eq!(told, ["current_state.name", "current_state.pin", "current_state.tags.note", "current_state.token"]);
}

/// Stored state says which type a value has where the schema does not, and what is secret in it has placeholders only.
#[test]
fn stored_state_stays_one_without_its_secrets() {
    let mut schema = schema();
    let entry = schema.resources.get_mut("vault_entry").unwrap();
    entry.block.attributes.push(Attribute { sensitive: true, ..Attribute::new("more", Type::Dynamic) });
    let recorded = |raw_state: pb::RawState| {
        let request = pb::upgrade_resource_state::Request {
            type_name: "vault_entry".to_owned(),
            raw_state: Some(raw_state),
            ..pb::upgrade_resource_state::Request::default()
        };
        let (procedure, placeholders) = ("UpgradeResourceState", Placeholders::default());
        let about = About { schema: &schema, procedure, name: "vault_entry" };
        let secrets = Secrets { placeholders: &placeholders, marked: &[] };
        let input = messages::method(6, procedure).unwrap().input();
        let mut json = messages::to_json(&request.encode_to_vec(), &input, about, Some(&secrets)).unwrap();
        placeholders.mask(&mut json, &[]);
        json["raw_state"].take()
    };
    let of_json = |state: Json| {
        recorded(pb::RawState { json: state.to_string().into_bytes().into(), ..pb::RawState::default() })["json"].take()
    };
    let stored =
        of_json(json!({"name": "visible", "token": "canary", "more": {"type": "string", "value": "canary-too"}}));
    let more = json!({"type": "string", "value": "denobridge-secret-1"});
    assert_eq!(stored, json!({"name": "visible", "token": "denobridge-secret-2", "more": more}));

    // Nothing is known of how older states are built.
    let older = of_json(json!({"name": ["visible"], "inner": [{"token": "canary", "pin": 4711, "kind": "visible"}]}));
    let inner = json!([{"token": "denobridge-secret-1", "pin": 900_000_001, "kind": "visible"}]);
    assert_eq!(older, json!({"name": ["visible"], "inner": inner}));
    let flatmap = [("name", "visible"), ("token", "canary"), ("inner.0.token", "canary")];
    let flatmap = flatmap.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    let oldest = recorded(pb::RawState { flatmap, ..pb::RawState::default() });
    let secret = "denobridge-secret-1";
    assert_eq!(oldest["flatmap"], json!({"name": "visible", "token": secret, "inner.0.token": secret}));
}
