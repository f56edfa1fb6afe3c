//! Actions, which Terraform has from 1.14 on.

use serde_json::{Value as Json, json};

use super::super::{ACTION, Stage};
use super::{error, warning};

async fn invoke(answer: Json) -> (Stage, Vec<String>, String) {
    let stage = Stage::new().await;
    stage.answers(&json!({ "invoke": answer }));
    let action = stage.host.action(ACTION, "a").unwrap();
    let config = action.config(&stage.asking(&json!({ "n": 1 }))).unwrap();
    let step = action.invoke(&config).await;
    let text = stage.text(&step.report.diagnostics);
    (stage, step.value, text)
}

#[tokio::test]
async fn an_action_runs_once_and_planning_it_asks_nothing() {
    let stage = Stage::new().await;
    let action = stage.host.action(ACTION, "a").unwrap();
    let config = action.config(&stage.asking(&json!({ "n": 1 }))).unwrap();
    action.plan(&config).await.expect_ok();
    assert_eq!(stage.calls(), Vec::<String>::new());
    assert_eq!(action.invoke(&config).await.expect_ok(), Vec::<String>::new());
    assert_eq!(stage.calls(), [r#"invoke {"props":{"n":1}}"#]);
}

#[tokio::test]
async fn progress_comes_in_order_and_before_the_end() {
    let told: Vec<String> = (0..200).map(|step| format!("step {step}")).collect();
    let (_, progress, text) = invoke(json!({ "result": { "done": true }, "progress": told })).await;
    assert_eq!((progress, text.as_str()), (told, ""));
    let (_, progress, _) = invoke(json!({ "result": {}, "progress": ["half way\r", "all the way\r\n"] })).await;
    assert_eq!(progress, ["half way", "all the way"]);
}

#[tokio::test]
async fn what_counts_as_done() {
    for done in [json!({ "done": true }), json!({}), json!(null), json!({ "diagnostics": [] })] {
        let (_, _, text) = invoke(json!({ "result": done })).await;
        assert_eq!(text, "", "{done}");
    }
    let (_, _, text) = invoke(json!({ "result": { "diagnostics": warning() } })).await;
    assert_eq!(text, "warning at []: slow\nd");
    let (_, _, text) = invoke(json!({ "result": { "done": false } })).await;
    insta::assert_snapshot!(text, @r#"
    error at []: Failed to invoke action
    Script FOLDER/played.ts did not report the operation as done: it answered `done: false`.
    "#);
    let (_, _, text) = invoke(json!({ "result": { "done": false, "diagnostics": error() } })).await;
    assert_eq!(text, "error at [props[\"n\"]]: broken\nd");
}

#[tokio::test]
async fn progress_told_before_a_failure_is_told_all_the_same() {
    let error = json!({ "code": -32000, "message": "out of paper" });
    let (_, progress, text) = invoke(json!({ "error": error, "progress": ["page 1", "page 2"] })).await;
    assert_eq!(progress, ["page 1", "page 2"]);
    assert!(text.contains("out of paper"), "{text}");
}
