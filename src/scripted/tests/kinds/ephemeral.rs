//! Ephemeral resources.

use std::time::{Duration, SystemTime};

use denobridge_framework::host::{EphemeralResourceHost, OpenResource};
use serde_json::json;

use super::super::{EPHEMERAL_RESOURCE, Stage, value};
use super::{error, warning};

fn host(stage: &Stage) -> EphemeralResourceHost<'_> {
    stage.host.ephemeral_resource(EPHEMERAL_RESOURCE, "e").unwrap()
}

async fn open(stage: &Stage) -> (Option<OpenResource>, String) {
    let resource = host(stage);
    let config = resource.config(&stage.asking(&json!({ "n": 1 }))).unwrap();
    let step = resource.open(&config).await;
    (step.value, stage.text(&step.report.diagnostics))
}

#[tokio::test]
async fn opened_renewed_and_closed_with_the_newest_private_data() {
    let stage = Stage::new().await;
    stage.answers(&json!({
        "open": { "result": { "result": 1, "sensitiveResult": "t", "renewAt": 4102444800_i64, "privateData": { "lease": 1 } } },
        "renew": { "result": { "renewAt": 4102444900_i64, "privateData": { "lease": 2 } } },
    }));
    let resource = host(&stage);
    let first = open(&stage).await.0.unwrap();
    assert_eq!(first.value.attribute("result"), Some(&value(&json!(1))));
    assert_eq!(first.renew_at, Some(SystemTime::UNIX_EPOCH + Duration::from_secs(4102444800)));
    let renewed = resource.renew(first.clone()).await.expect_ok();
    assert_eq!(renewed.renew_at, Some(SystemTime::UNIX_EPOCH + Duration::from_secs(4102444900)));
    // As Terraform does: with the private data of the opening.
    resource.close(first).await.expect_ok();
    assert_eq!(
        stage.calls(),
        [r#"open {"props":{"n":1}}"#, r#"renew {"privateData":{"lease":1}}"#, r#"close {"privateData":{"lease":2}}"#]
    );
}

#[tokio::test]
async fn two_that_are_open_at_once_are_not_mixed_up() {
    let stage = Stage::new().await;
    let opened = |lease| json!({ "result": { "renewAt": 4102444800_i64, "privateData": { "lease": lease } } });
    stage.answers(
        &json!({ "open": [opened("a"), opened("b")], "renew": { "result": { "privateData": { "lease": "b2" } } } }),
    );
    let (a, b) = (open(&stage).await.0.unwrap(), open(&stage).await.0.unwrap());
    host(&stage).renew(b.clone()).await.expect_ok();
    host(&stage).close(a).await.expect_ok();
    host(&stage).close(b).await.expect_ok();
    let calls = stage.calls();
    assert_eq!(calls[3..], [r#"close {"privateData":{"lease":"a"}}"#, r#"close {"privateData":{"lease":"b2"}}"#]);
}

#[tokio::test]
async fn without_private_data_the_member_is_left_out_and_close_is_optional() {
    let stage = Stage::new().await;
    let not_found = json!({ "error": { "code": -32601, "message": "Method not found" } });
    stage.answers(&json!({ "close": not_found }));
    let opened = open(&stage).await.0.unwrap();
    assert_eq!(opened.renew_at, None);
    host(&stage).close(opened).await.expect_ok();
    assert_eq!(stage.calls()[1], "close {}");
}

#[tokio::test]
async fn how_closing_may_end() {
    let stage = Stage::new().await;
    // The last is what a handler that returns nothing comes to: an answer without a result.
    for good in
        [json!({ "result": null }), json!({ "result": {} }), json!({ "raw": "{\"jsonrpc\":\"2.0\",\"id\":ID}" })]
    {
        stage.answers(&json!({ "close": good }));
        let opened = open(&stage).await.0.unwrap();
        host(&stage).close(opened).await.expect_ok();
    }
    stage.answers(&json!({ "close": { "result": { "diagnostics": warning() } } }));
    let opened = open(&stage).await.0.unwrap();
    let step = host(&stage).close(opened).await;
    assert_eq!(stage.text(&step.report.diagnostics), "warning at []: slow\nd");
    stage.answers(&json!({ "close": { "result": { "done": false } } }));
    let opened = open(&stage).await.0.unwrap();
    host(&stage).close(opened).await.expect_error("`done: false`");
}

#[tokio::test]
async fn a_renewal_that_fails_keeps_the_data_and_is_told_of_at_the_end() {
    let stage = Stage::new().await;
    let error = json!({ "error": { "code": -32000, "message": "the server is down" } });
    stage.answers(&json!({ "open": { "result": { "renewAt": 4102444800_i64, "privateData": 1 } }, "renew": error }));
    let opened = open(&stage).await.0.unwrap();
    host(&stage).renew(opened.clone()).await.expect_error("the server is down");
    let step = host(&stage).close(opened).await;
    insta::assert_snapshot!(stage.text(&step.report.diagnostics), @r#"
    warning at []: Failed to renew
    The last renewal before the end failed.

    Script FOLDER/played.ts reported an error.

    "renew" failed: the server is down (code -32000)
    "#);
    assert_eq!(stage.calls()[2], r#"close {"privateData":1}"#);
}

#[tokio::test]
async fn an_answer_that_cannot_be_used_is_closed_again() {
    let stage = Stage::new().await;
    stage.answers(&json!({ "open": { "result": { "renewAt": "soon", "privateData": { "lease": 1 } } } }));
    let (opened, text) = open(&stage).await;
    assert!(opened.is_none());
    assert!(text.contains("`renewAt` must be a number of seconds since 1970, not a string"), "{text}");
    assert_eq!(stage.calls()[1..], [r#"close {"privateData":{"lease":1}}"#]);
    stage.answers(&json!({ "open": { "result": { "result": 1, "diagnostics": error() } } }));
    let (opened, text) = open(&stage).await;
    assert!(opened.is_none());
    assert_eq!(text, "error at [props[\"n\"]]: broken\nd");
    assert_eq!(stage.methods(), ["open"]);
}
