//! Write-only props: given to the script, kept nowhere, and yet noticed when they change.

use base64::Engine as _;
use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::Action;
use denobridge_framework::host::ResourceState;
use serde_json::json;

use super::{Stage, attribute, value};

fn secret(stage: &Stage, text: &str) -> Value {
    stage.config(&[("props", value(&json!({ "n": 1 }))), ("write_only_props", value(&json!({ "password": text })))])
}

fn version(state: &ResourceState) -> &Value {
    attribute(state, "write_only_props_version")
}

#[tokio::test]
async fn they_reach_create_and_update_and_nothing_else() {
    let stage = Stage::new().await;
    let state = stage.good_apply(&secret(&stage, "canary-one"), None).await;
    assert!(attribute(&state, "write_only_props").is_null());
    let calls = stage.calls();
    assert_eq!(calls.last().unwrap(), r#"create {"props":{"n":1},"writeOnlyProps":{"password":"canary-one"}}"#);
    assert!(!calls[0].contains("canary"), "{}", calls[0]);
    let private = String::from_utf8(state.private.to_vec()).unwrap();
    assert!(!private.contains("canary"));

    assert_eq!(stage.good_plan(&secret(&stage, "canary-one"), Some(&state)).await.action, Action::NoOp);
    let changed = secret(&stage, "canary-two");
    let plan = stage.good_plan(&changed, Some(&state)).await;
    assert_eq!(plan.action, Action::Update);
    assert_eq!(plan.after.attribute("write_only_props_version"), Some(&Value::number(2)));
    stage.calls();
    let state = stage.good_apply(&changed, Some(&state)).await;
    assert_eq!(version(&state), &Value::number(2));
    assert!(stage.calls().last().unwrap().contains(r#""nextWriteOnlyProps":{"password":"canary-two"}"#));
    assert_eq!(stage.good_plan(&changed, Some(&state)).await.action, Action::NoOp);

    let other_props = stage.config(&[
        ("props", value(&json!({ "n": 2 }))),
        ("write_only_props", value(&json!({ "password": "canary-two" }))),
    ]);
    let state = stage.good_apply(&other_props, Some(&state)).await;
    assert_eq!(version(&state), &Value::number(2), "they are the same");
}

#[tokio::test]
async fn they_can_be_added_and_taken_away_later() {
    let stage = Stage::new().await;
    let without = stage.props(&json!({ "n": 1 }));
    let state = stage.good_apply(&without, None).await;
    assert_eq!(version(&state), &Value::number(1));
    let state = stage.good_apply(&secret(&stage, "canary"), Some(&state)).await;
    assert_eq!(version(&state), &Value::number(2));
    let state = stage.good_apply(&without, Some(&state)).await;
    assert_eq!(version(&state), &Value::number(3));
    assert_eq!(stage.good_plan(&without, Some(&state)).await.action, Action::NoOp);
}

#[tokio::test]
async fn a_failed_update_does_not_count_as_given() {
    let stage = Stage::new().await;
    let state = stage.good_apply(&secret(&stage, "canary-one"), None).await;
    stage.answers(&json!({ "update": { "error": { "code": -32000, "message": "locked" } } }));
    let (state, diagnostics) = stage.apply(&secret(&stage, "canary-two"), Some(&state)).await;
    assert!(diagnostics.has_errors());
    assert_eq!(stage.good_plan(&secret(&stage, "canary-two"), state.as_ref()).await.action, Action::Update);
}

#[tokio::test]
async fn the_go_providers_hash_is_read() {
    let stage = Stage::new().await;
    let mut state = stage.good_apply(&secret(&stage, "canary-one"), None).await;
    // SHA-256 of {"password":"canary-one"}, as the Go provider stores it.
    let hash = "e7c631e68b3e69adf4651c603845209e488d32b4c6f67c20e307b4dbf01c56b0";
    let stored = base64::engine::general_purpose::STANDARD.encode(format!(r#"{{"hash":"{hash}"}}"#));
    state.private = format!(r#"{{"write_only_props_hash":"{stored}"}}"#).into();
    assert_eq!(stage.good_plan(&secret(&stage, "canary-one"), Some(&state)).await.action, Action::NoOp);
    let state = stage.good_apply(&secret(&stage, "canary-two"), Some(&state)).await;
    assert!(!String::from_utf8(state.private.to_vec()).unwrap().contains("write_only_props_hash"));
}

#[tokio::test]
async fn while_they_are_unknown_so_is_the_version() {
    let stage = Stage::new().await;
    let state = stage.good_apply(&secret(&stage, "canary"), None).await;
    let late = Value::object([("password", Value::unknown(Type::String))]);
    let config = stage.config(&[("props", value(&json!({ "n": 1 }))), ("write_only_props", late)]);
    let plan = stage.good_plan(&config, Some(&state)).await;
    assert_eq!(plan.action, Action::Update);
    assert!(!plan.after.attribute("write_only_props_version").unwrap().is_known());
    let step = stage.resource().apply(&plan, &secret(&stage, "canary")).await;
    assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
    assert_eq!(version(&step.value.unwrap()), &Value::number(1));
}
