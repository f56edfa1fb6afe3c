//! The provider's configuration.

use denobridge_core::cty::{Type, Value};
use denobridge_framework::host::HostOptions;
use serde_json::{Value as Json, json};

use super::{RESOURCE, Stage, host, value};
use crate::deno::testing::deno;

async fn configured(config: &Json) -> String {
    let host = host(HostOptions::default()).await;
    let step = host.configure(&value(config)).await;
    let lines = step
        .report
        .diagnostics
        .iter()
        .map(|diagnostic| format!("[{}] {}: {}", diagnostic.attribute, diagnostic.summary, diagnostic.detail));
    lines.collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn limits_that_make_no_sense_are_named() {
    let text = |limits: Json| async move { configured(&json!({ "deno_binary_path": deno(), "limits": limits })).await };
    assert_eq!(
        text(json!({ "start_timeout": 0 })).await,
        "[limits.start_timeout] Invalid limit: `limits.start_timeout` must be at least a thousandth of a second, in seconds."
    );
    let text_of_processes = text(json!({ "max_processes_per_script": 1.5 })).await;
    assert!(text_of_processes.contains("must be a whole number above 0"), "{text_of_processes}");
    assert!(text(json!({ "call_timeout": -1 })).await.contains("must be 0 (no limit) or more"));
    assert_eq!(text(json!({ "call_timeout": 0, "idle_timeout": 0.5, "max_message_bytes": 1000000 })).await, "");
}

#[tokio::test]
async fn a_limit_that_is_hit_is_named() {
    let stage = Stage::configured(&json!({ "limits": { "call_timeout": 0.2 } })).await;
    let text = std::fs::read_to_string(stage.script()).unwrap();
    let hang = "if (method === \"modifyPlan\") await new Promise((done) => setTimeout(done, 60_000));\n    let answers";
    std::fs::write(stage.script(), text.replace("let answers", hang)).unwrap();
    let (_, diagnostics) = stage.plan(&stage.props(&json!({})), None).await;
    let text = stage.text(&diagnostics);
    assert!(text.contains("200ms") && text.contains("call_timeout"), "{text}");
}

#[tokio::test]
async fn no_deno_is_an_error_once_a_script_is_to_run() {
    let host = host(HostOptions::default()).await;
    let step = host.configure(&value(&json!({ "deno_binary_path": "/nonexistent/deno" }))).await;
    assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
    let resource = host.resource(RESOURCE, "r").unwrap();
    let config = resource.config(&value(&json!({ "path": "a.ts" }))).unwrap();
    let step = resource.plan(&config, None).await;
    let diagnostic = step.report.diagnostics.iter().next().unwrap();
    assert_eq!(diagnostic.summary, "Failed to start Deno");
    insta::assert_snapshot!(diagnostic.detail, @r#"
    Deno was not found.

    To run a.ts: `deno_binary_path` names "/nonexistent/deno", which is not an executable file.

    Correct the path, or leave it out to use the "deno" that is on PATH.
    "#);
}

#[tokio::test]
async fn a_deno_that_is_not_known_yet_is_waited_for() {
    let host = host(HostOptions::default()).await;
    let config = Value::object([("deno_binary_path", Value::unknown(Type::String))]);
    let step = host.configure(&config).await;
    assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
    let resource = host.resource(RESOURCE, "r").unwrap();
    let config = resource.config(&value(&json!({ "path": "a.ts" }))).unwrap();
    assert!(resource.plan(&config, None).await.value.is_some());
}
