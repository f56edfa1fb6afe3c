//! What happens to managed resources beside plan and apply: import by identity, moves, generated configuration, and all of
//! it in one go.

use super::twisted::{Change, Twisted, host_of, id, written};
use super::*;
use crate::Context;
use crate::erased::{Create, Delete, ErasedResource, Outcome, Read, Update};
use crate::host::{Converged, MovedFrom};
use crate::server::tests::fixtures;

/// A resource that writes configurations.
struct Writer;

#[async_trait]
impl ErasedResource for Writer {
    fn schema(&self) -> Schema {
        fixtures::schema()
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        fixtures::validated(config)
    }

    async fn create(&self, _: &Context, request: Create<'_>) -> Outcome {
        Outcome::of(request.planned)
    }

    async fn read(&self, _: &Context, request: Read<'_>) -> Outcome {
        Outcome::of(request.state)
    }

    async fn update(&self, _: &Context, request: Update<'_>) -> Outcome {
        Outcome::of(request.planned)
    }

    async fn delete(&self, _: &Context, _: Delete<'_>) -> Diagnostics {
        Diagnostics::new()
    }

    fn generates_config(&self) -> bool {
        true
    }
}

fn identity(id: &str) -> Value {
    Value::object([("id", Value::string(id))])
}

#[tokio::test]
async fn an_object_is_found_by_its_identity() {
    let host = host_of(Twisted::default()).await;
    let object = host.resource("test_object", "x").unwrap();
    let found = object.import_by_identity(&identity("7")).await.expect_some();
    assert_eq!((id(&found.value), found.identity), (Some("7"), Some(identity("7"))));
    for (wrong, text) in [
        (Value::object::<&str>([]), "\"id\" is required for an import"),
        (Value::object([("name", Value::string("7"))]), "an attribute named \"name\" is not expected here"),
        (Value::object([("id", Value::tuple([]))]), "id: string required"),
        (Value::string("7"), "an object is required"),
    ] {
        assert!(object.import_by_identity(&wrong).await.expect_error(text).is_none());
    }
    let plain = host.resource("test_plain", "x").unwrap();
    plain.import_by_identity(&identity("7")).await.expect_error("objects of this type have none");
}

#[tokio::test]
async fn r13_r16_what_an_import_by_identity_finds() {
    let none: Change<ImportResourceStateResponse> = |mut response| {
        response.imported_resources[0].identity = None;
        response
    };
    let host = host_of(Twisted { import: none, ..Twisted::default() }).await;
    let object = host.resource("test_object", "x").unwrap();
    assert_eq!(object.import_by_identity(&identity("7")).await.expect_violation(Rule::Import), None);

    let other: Change<ImportResourceStateResponse> = |mut response| {
        response.imported_resources[0].identity = Some(identity("8").into());
        response.imported_resources[0].state = fixtures::object("x", Value::string("8")).into();
        response
    };
    let host = host_of(Twisted { import: other, ..Twisted::default() }).await;
    let object = host.resource("test_object", "x").unwrap();
    assert_eq!(object.import_by_identity(&identity("7")).await.expect_violation(Rule::Identity), None);
}

#[tokio::test]
async fn r16_an_object_keeps_its_identity() {
    let read_resource: Change<ReadResourceResponse> =
        |response| ReadResourceResponse { new_identity: Some(identity("8").into()), ..response };
    let host = host_of(Twisted { read_resource, ..Twisted::default() }).await;
    let object = host.resource("test_object", "x").unwrap();
    let state = ResourceState {
        value: fixtures::object("x", Value::string("7")),
        private: Bytes::new(),
        identity: Some(identity("7")),
        tainted: false,
    };
    let left = object.refresh(&state).await.expect_violation(Rule::Identity);
    assert_eq!(left, Some(state));
}

fn old_thing() -> MovedFrom {
    MovedFrom {
        provider_address: "registry.terraform.io/other/old".to_owned(),
        type_name: "old_thing".to_owned(),
        attributes: serde_json::json!({ "name": "7" }),
        ..MovedFrom::default()
    }
}

#[tokio::test]
async fn r14_an_object_of_another_type_is_taken_over() {
    let host = host_of(Twisted::default()).await;
    let object = host.resource("test_object", "x").unwrap();
    let moved = object.move_from(&old_thing()).await.expect_some();
    assert_eq!((id(&moved.value), moved.identity), (Some("7"), Some(identity("7"))));
    let strange = MovedFrom { type_name: "strange".to_owned(), ..old_thing() };
    assert!(object.move_from(&strange).await.expect_error("strange").is_none());
    let cases: [(Change<MoveResourceStateResponse>, Rule); 3] = [
        (|r| MoveResourceStateResponse { target_state: Default::default(), ..r }, Rule::Upgrade),
        (
            |r| MoveResourceStateResponse {
                target_state: fixtures::object("x", Value::unknown(Type::String)).into(),
                ..r
            },
            Rule::Upgrade,
        ),
        (|r| MoveResourceStateResponse { target_state: Value::bool(true).into(), ..r }, Rule::Conformance),
    ];
    for (take_over, rule) in cases {
        let host = host_of(Twisted { take_over, ..Twisted::default() }).await;
        let object = host.resource("test_object", "x").unwrap();
        assert_eq!(object.move_from(&old_thing()).await.expect_violation(rule), None);
    }
}

#[tokio::test]
async fn a_configuration_is_generated_and_must_be_one() {
    let generating = || fixtures::builder().resource("test_writer", Box::new(Writer)).build().unwrap();
    let host = host_of(Twisted { inner: Arc::new(generating()), ..Twisted::default() }).await;
    let writer = host.resource("test_writer", "x").unwrap();
    let state = ResourceState {
        value: fixtures::object("x", Value::string("7")),
        private: Bytes::new(),
        identity: None,
        tainted: false,
    };
    let config = writer.generate_config(&state).await.expect_some();
    assert_eq!(config, fixtures::config("x"));
    let cases: [Change<GenerateResourceConfigResponse>; 3] = [
        |r| GenerateResourceConfigResponse { config: fixtures::object("x", Value::string("7")).into(), ..r },
        |r| GenerateResourceConfigResponse { config: fixtures::object("x", Value::unknown(Type::String)).into(), ..r },
        |r| GenerateResourceConfigResponse { config: Default::default(), ..r },
    ];
    for generate in cases {
        let host = host_of(Twisted { inner: Arc::new(generating()), generate, ..Twisted::default() }).await;
        let writer = host.resource("test_writer", "x").unwrap();
        assert_eq!(writer.generate_config(&state).await.expect_violation(Rule::Protocol), None);
    }
    let invalid = ResourceState { value: fixtures::object("invalid", Value::string("7")), ..state.clone() };
    let host = host_of(Twisted { inner: Arc::new(generating()), ..Twisted::default() }).await;
    assert_eq!(
        host.resource("test_writer", "x").unwrap().generate_config(&invalid).await.expect_error("invalid"),
        None
    );
    let host = host_of(Twisted::default()).await;
    let plain = host.resource("test_plain", "x").unwrap();
    assert_eq!(plain.generate_config(&state).await.expect_error("leaves it to core"), None);
}

#[tokio::test]
async fn one_apply_is_enough() {
    let host = host_of(Twisted::default()).await;
    let object = host.resource("test_object", "x").unwrap();
    let created = object.converge(&written("x"), None).await.expect_some();
    assert_eq!(created.action, Action::Create);
    let same = object.converge(&written("x"), Some(&created.state)).await.expect_some();
    assert_eq!(same, Converged { action: Action::NoOp, state: created.state.clone() });
    object.destroy(&created.state).await.expect_none();
    assert_eq!(object.converge(&written("fail"), None).await.expect_error("planning of test_object failed"), None);
    let unfit = Value::object([("id", Value::string("mine"))]);
    assert_eq!(object.converge(&unfit, None).await.expect_error("is required"), None);

    let drifting: Change<ReadResourceResponse> = |response| {
        let state = response.new_state.decode(&fixtures::schema().implied_type()).unwrap();
        ReadResourceResponse { new_state: state.with_attribute("does", Value::string("drift")).into(), ..response }
    };
    let host = host_of(Twisted { read_resource: drifting, ..Twisted::default() }).await;
    let step = host.resource("test_object", "x").unwrap().converge(&written("x"), None).await;
    let text = step.report.to_string();
    assert!(text.contains("would update it again") && text.contains("\"drift\""), "{text}");
    assert!(!text.contains(fixtures::CANARY), "{text}");
    assert!(step.expect_error("Plan is not empty after apply").is_some());

    let gone: Change<ReadResourceResponse> =
        |response| ReadResourceResponse { new_state: Default::default(), ..response };
    let host = host_of(Twisted { read_resource: gone, ..Twisted::default() }).await;
    let step = host.resource("test_object", "x").unwrap().converge(&written("x"), None).await;
    assert!(step.expect_error("Object is gone after apply").is_some());
}

#[tokio::test]
async fn a_provider_is_stopped() {
    host_of(Twisted::default()).await.stop().await.expect_ok();
}
