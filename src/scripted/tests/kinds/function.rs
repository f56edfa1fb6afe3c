//! Functions.

use denobridge_core::cty::{Type, Value};
use denobridge_framework::host::{Host, HostOptions};
use serde_json::json;

use super::super::{FUNCTION, Stage, host, value};

/// No permissions are needed to answer, but the script must not write down its calls.
fn script(stage: &Stage) -> Value {
    let text = std::fs::read_to_string(stage.script()).unwrap();
    let answers = r#"({ call: { result: { result: { function: params.function, got: params.arguments } } } })"#;
    let text = text
        .replace("method !== \"health\"", "false")
        .replace("let answers: any = {};", &format!("let answers: any = {answers};"));
    std::fs::write(stage.script(), text).unwrap();
    Value::string(stage.script().to_str().unwrap())
}

#[tokio::test]
async fn arguments_and_results_are_values_of_every_kind_without_any_configuration() {
    let stage = Stage::new().await;
    let script = script(&stage);
    let host: Host = host(HostOptions::default()).await;
    let function = host.function(FUNCTION).unwrap();
    let arguments = [
        script.clone(),
        Value::string("f"),
        Value::null(Type::Dynamic),
        value(&json!([1, "a"])),
        value(&json!({ "a": null })),
    ];
    let result = function.call(&arguments).await.expect_some();
    assert_eq!(result.attribute("function"), Some(&Value::string("f")));
    assert_eq!(result.attribute("got"), Some(&value(&json!([null, [1, "a"], { "a": null }]))));
    let result = function.call(&arguments[..2]).await.expect_some();
    assert_eq!(result.attribute("got"), Some(&Value::tuple([])));
}

#[tokio::test]
async fn it_is_not_called_before_its_arguments_are_known() {
    let host = host(HostOptions::default()).await;
    let arguments = [Value::string("/nonexistent.ts"), Value::string("f"), Value::unknown(Type::String)];
    let result = host.function(FUNCTION).unwrap().call(&arguments).await.expect_some();
    assert!(!result.is_known());
}

#[tokio::test]
async fn a_script_that_is_not_there_is_the_fault_of_the_first_argument() {
    let host = host(HostOptions::default()).await;
    let arguments = [Value::string("/nonexistent.ts"), Value::string("f")];
    let step = host.function(FUNCTION).unwrap().call(&arguments).await;
    step.expect_error("Script /nonexistent.ts does not exist");
}
