//! Data sources.

use denobridge_core::cty::{Type, Value};
use denobridge_framework::host::HostOptions;
use serde_json::{Value as Json, json};

use super::super::{DATA_SOURCE, Stage, host, value};
use super::{error, warning};

async fn read(answer: Json) -> (Stage, Option<Value>, String) {
    let stage = Stage::new().await;
    stage.answers(&json!({ "read": answer }));
    let source = stage.host.data_source(DATA_SOURCE, "d").unwrap();
    let config = source.config(&stage.asking(&json!({ "n": 1 }))).unwrap();
    let step = source.read(&config).await;
    let text = stage.text(&step.report.diagnostics);
    (stage, step.value, text)
}

#[tokio::test]
async fn the_result_is_what_the_script_found_and_its_props_are_all_it_is_told() {
    let (stage, state, text) = read(json!({ "result": { "result": { "a": [1] }, "sensitiveResult": "canary" } })).await;
    assert_eq!(text, "");
    let state = state.unwrap();
    let list = Value::list(Type::Number, [Value::number(1)]);
    assert_eq!(state.attribute("result").unwrap(), &Value::object([("a", list)]));
    assert_eq!(state.attribute("sensitive_result").unwrap().clone().without_marks_deep(), Value::string("canary"));
    assert_eq!(stage.calls(), [r#"read {"props":{"n":1}}"#]);
}

#[tokio::test]
async fn nothing_is_looked_up_before_it_is_known_which_deno_does_it() {
    let host = host(HostOptions::default()).await;
    let config = Value::object([("deno_binary_path", Value::unknown(Type::String))]);
    host.configure(&config).await.expect_ok();
    let source = host.data_source(DATA_SOURCE, "d").unwrap();
    // A script that is not there would be told first.
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/scripted/testdata/played.ts");
    let config = source.config(&value(&json!({ "path": script }))).unwrap();
    source.read(&config).await.expect_error("`deno_binary_path` is not known before apply");
}

#[tokio::test]
async fn exact_numbers_survive_in_both_directions() {
    let (stage, state, text) =
        read(json!({ "raw": r#"{"id":ID,"result":{"result":[123456789012345678901234567890.5, 0.1]}}"# })).await;
    assert_eq!(text, "");
    let number = |text: &str| Value::number(text.parse::<denobridge_core::cty::Number>().unwrap());
    let numbers = [number("123456789012345678901234567890.5"), number("0.1")];
    assert_eq!(state.unwrap().attribute("result").unwrap(), &Value::list(Type::Number, numbers));
    drop(stage);
}

#[tokio::test]
async fn answers_that_crash_the_go_provider_are_answers_or_errors() {
    for nothing in [json!({ "result": null }), json!({}), json!({ "result": {} })] {
        let (_, state, text) = read(nothing.clone()).await;
        assert_eq!((text.as_str(), state.unwrap().attribute("result").unwrap().is_null()), ("", true), "{nothing}");
    }
    let (_, state, text) = read(json!({ "error": { "code": -32010, "message": "no such thing" } })).await;
    assert!(state.is_none());
    insta::assert_snapshot!(text, @r#"
    error at []: Failed to read data
    Script FOLDER/played.ts reported an error.

    "read" failed: no such thing (code -32010)
    "#);
}

#[tokio::test]
async fn what_a_script_asks_of_us_is_no_reason_to_fail() {
    let asks = r#"{"jsonrpc":"2.0","method":"log","params":{"a":1}}"#;
    let tells = r#"{"jsonrpc":"2.0","method":"invokeProgress","params":{"message":"half way"}}"#;
    let answers = r#"{"id":ID,"result":{"result":1}}"#;
    let (_, state, text) = read(json!({ "raw": format!("{asks}\n{tells}\n{answers}") })).await;
    assert_eq!((text.as_str(), state.unwrap().attribute("result")), ("", Some(&Value::number(1))));
}

#[tokio::test]
async fn diagnostics_are_shown_where_they_belong_and_errors_count() {
    let (_, state, text) = read(json!({ "result": { "result": 1, "diagnostics": warning() } })).await;
    assert_eq!(text, "warning at []: slow\nd");
    assert_eq!(state.unwrap().attribute("result"), Some(&Value::number(1)));
    let (_, state, text) = read(json!({ "result": { "result": 1, "diagnostics": error() } })).await;
    assert_eq!(text, "error at [props[\"n\"]]: broken\nd");
    assert!(state.is_none());
}

#[tokio::test]
async fn a_result_without_a_member_around_it_is_found_beside_diagnostics() {
    let (_, state, _) = read(json!({ "result": { "a": 1, "sensitive": { "t": 2 }, "diagnostics": warning() } })).await;
    let state = state.unwrap();
    assert_eq!(state.attribute("result"), Some(&value(&json!({ "a": 1 }))));
    let sensitive = state.attribute("sensitive_result").unwrap().clone();
    assert_eq!(sensitive.without_marks_deep(), value(&json!({ "t": 2 })));
}
