//! What goes wrong, and what the engine is told.

use std::time::{Duration, Instant};

use denobridge_pulumi::proto::pulumirpc::{
    CallRequest, ConstructRequest, DeleteRequest, ErrorResourceInitFailed, GetMappingRequest, GetMappingsRequest,
    InvokeRequest, ListRequest, LogSeverity,
};
use serde_json::json;
use tonic::Code;

use crate::support::{Door, detail, json_of, object, urn, without_meta};

#[tokio::test]
async fn failures_of_check_name_the_property_in_the_programs_words() {
    let mut door = Door::open().await;
    let missing = door.check(json!({ "size": "many", "id": "x", "tagz": 1 })).await.failures;
    let texts: Vec<_> = missing.iter().map(|failure| format!("{}: {}", failure.property, failure.reason)).collect();
    assert_eq!(
        texts,
        [
            "size: a number is required, but the text is not one",
            "id: the provider sets this property, so the program must not",
            "tagz: there is no such property; did you mean `tags`? There are: note, password, passwordVersion, props, \
             rule, size, tags, thingName",
        ]
    );
    let missing = door.check(json!({})).await.failures;
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0].property, "thingName");
    assert_eq!(missing[0].reason, "the property is required, but it is not set");
    let refused = door.check(json!({ "thingName": "bad", "rule": [{ "port": 1, "hostName": "h" }] })).await.failures;
    assert_eq!(refused[0].property, "rule");
    assert_eq!(refused[0].reason, "Bad host: it is bad (at `rule[0].hostName`)");
    assert_eq!(refused[1].property, "");
    assert_eq!(refused[1].reason, "Bad thing: all of it");
}

#[tokio::test]
async fn warnings_reach_the_user_under_the_resource() {
    let mut door = Door::open().await;
    let checked = door.check(json!({ "thingName": "old" })).await;
    assert!(checked.failures.is_empty());
    let line = door.logged("Old name").await;
    assert_eq!(line.message, "Old name: choose another (property `thingName`)");
    assert_eq!((line.severity(), line.urn), (LogSeverity::Warning, urn("t")));
    // Said once in a deployment, however often the provider says it.
    door.check(json!({ "thingName": "old" })).await;
    door.client.cancel(()).await.expect("ends and flushes");
    let told = |door: &Door| {
        let log = door.log.lock().expect("lock");
        log.iter().filter(|line| line.message.contains("Old name")).count()
    };
    assert_eq!(told(&door), 1);
    door.check(json!({ "thingName": "old" })).await;
    door.client.cancel(()).await.expect("ends and flushes");
    assert_eq!(told(&door), 2);
    assert_eq!(door.logged("[demo] validated").await.severity(), LogSeverity::Debug);
    door.create(json!({ "thingName": "a" })).await.expect("creates");
    assert!(door.logged("almost there").await.ephemeral);
}

#[tokio::test]
async fn what_was_created_is_never_lost() {
    let mut door = Door::open().await;
    let failure = door.create(json!({ "thingName": "partial" })).await.expect_err("fails");
    let kept: ErrorResourceInitFailed = detail(&failure);
    assert_eq!(kept.id, "id-partial");
    assert_eq!(kept.reasons, ["provider demo: Half done: the other half is missing"]);
    let outputs = kept.properties.expect("outputs");
    assert_eq!(without_meta(&outputs)["id"], "id-partial");
    assert_eq!(json_of(&kept.inputs.expect("inputs")), json!({ "thingName": "partial" }));
    // The engine tries again by updating. A failure that changed something is recorded too ...
    let changed = json!({ "thingName": "partial", "size": 7 });
    let failure = door.update(&outputs, changed, false).await.expect_err("fails again");
    let kept: ErrorResourceInitFailed = detail(&failure);
    assert!(kept.properties.expect("outputs").fields.contains_key("__meta"));
    // ... and one that left the resource as it was leaves the stored state as it was.
    let failure = door.update(&outputs, json!({ "thingName": "partial" }), false).await.expect_err("fails again");
    assert!(failure.details().is_empty());
    assert!(failure.message().contains("Half done"), "{}", failure.message());
}

#[tokio::test]
async fn a_provider_that_breaks_its_word_is_named_and_its_resource_kept() {
    let mut door = Door::open().await;
    let failure = door.create(json!({ "thingName": "liar", "size": 5 })).await.expect_err("fails");
    let kept: ErrorResourceInitFailed = detail(&failure);
    assert_eq!(kept.id, "id-liar");
    assert!(kept.reasons[0].contains("Provider produced inconsistent result after apply"), "{:?}", kept.reasons);
    assert!(kept.reasons[0].contains("(property `size`)"), "{:?}", kept.reasons);
    let failure = door.create(json!({ "thingName": "misplanned" })).await.expect_err("fails");
    assert!(failure.message().contains("Provider produced invalid plan"), "{}", failure.message());
    assert!(failure.message().starts_with("provider demo: create of \"t\" failed: "), "{}", failure.message());
}

#[tokio::test]
async fn an_error_without_a_state_is_a_plain_error() {
    let mut door = Door::open().await;
    let failure = door.create(json!({ "thingName": "refused" })).await.expect_err("fails");
    assert_eq!(failure.code(), Code::FailedPrecondition);
    assert_eq!(failure.message(), "provider demo: create of \"t\" failed: Refused (property `thingName`)");
    assert!(failure.details().is_empty());
}

#[tokio::test]
async fn a_time_limit_names_its_option_and_keeps_what_exists() {
    let mut door = Door::open().await;
    let begun = Instant::now();
    let failure = door.create_with(json!({ "thingName": "slow" }), false, 0.2).await.expect_err("fails");
    assert!(begun.elapsed() < Duration::from_secs(5));
    let kept: ErrorResourceInitFailed = detail(&failure);
    assert_eq!(kept.id, "id-slow");
    assert!(kept.reasons[0].contains("the limit that `customTimeouts.create` sets"), "{:?}", kept.reasons);
    let failure = door.create_with(json!({ "thingName": "stuck" }), false, 0.2).await.expect_err("fails");
    assert_eq!(failure.code(), Code::DeadlineExceeded);
    assert!(failure.message().contains("not done within 0.2 seconds, "), "{}", failure.message());
    assert!(failure.message().contains("did not say within 0.5 seconds"), "{}", failure.message());
}

#[tokio::test]
async fn cancel_stops_what_runs_comes_twice_and_the_plugin_goes_on() {
    let mut door = Door::open().await;
    door.client.cancel(()).await.expect("cancels before anything");
    let mut other = door.client.clone();
    let slow = tokio::spawn(async move {
        let properties = Some(object(json!({ "thingName": "slow" })));
        other
            .create(denobridge_pulumi::proto::pulumirpc::CreateRequest {
                urn: urn("t"),
                properties,
                ..Default::default()
            })
            .await
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    door.client.cancel(()).await.expect("cancels");
    door.client.cancel(()).await.expect("cancels again");
    let failure = slow.await.expect("no panic").expect_err("was cancelled");
    let kept: ErrorResourceInitFailed = detail(&failure);
    assert_eq!(kept.id, "id-slow");
    assert!(*door.demo.stops.lock().expect("lock") >= 2);
    door.create(json!({ "thingName": "after" })).await.expect("creates");
}

#[tokio::test]
async fn a_panic_fails_one_request_only() {
    let mut door = Door::open().await;
    let failure = door.create(json!({ "thingName": "panic" })).await.expect_err("fails");
    assert_eq!(failure.code(), Code::Internal);
    assert!(failure.message().contains("denobridge (the bridge) failed: Create panicked"), "{}", failure.message());
    door.create(json!({ "thingName": "a" })).await.expect("creates");
}

#[tokio::test]
async fn what_there_is_not_is_said_plainly() {
    let mut door = Door::open().await;
    let mut client = door.client.clone();
    assert_eq!(client.call(CallRequest::default()).await.expect_err("no methods").code(), Code::Unimplemented);
    assert_eq!(client.construct(ConstructRequest::default()).await.expect_err("none").code(), Code::Unimplemented);
    assert_eq!(client.get_mapping(GetMappingRequest::default()).await.expect_err("none").code(), Code::Unimplemented);
    assert_eq!(client.get_mappings(GetMappingsRequest::default()).await.expect_err("none").code(), Code::Unimplemented);
    assert_eq!(client.list(ListRequest::default()).await.expect_err("none").code(), Code::Unimplemented);
    let request = InvokeRequest { tok: "demo:index:getThing".to_owned(), ..InvokeRequest::default() };
    let failure = client.invoke(request).await.expect_err("no functions");
    assert_eq!(failure.message(), "the package demo (version 1.2.3) has no function `demo:index:getThing`");
    let request = denobridge_pulumi::proto::pulumirpc::CreateRequest {
        urn: "urn:pulumi:dev::p::demo:index:Other::x".to_owned(),
        ..Default::default()
    };
    let failure = client.create(request).await.expect_err("no such type");
    assert_eq!(failure.message(), "the package demo (version 1.2.3) has no resource type `demo:index:Other`");
    door.client.cancel(()).await.expect("still there");
}

/// `levels` objects around a number.
fn nested(levels: usize) -> serde_json::Value {
    (0..levels).fold(json!(1), |inner, _| json!({ "a": inner }))
}

#[tokio::test]
async fn what_is_nested_too_deeply_is_refused_before_anything_exists() {
    let mut door = Door::open().await;
    let deep = json!({ "thingName": "a", "props": nested(60) });
    assert!(door.check(deep.clone()).await.failures.is_empty());
    let outputs = door.create(deep.clone()).await.expect("creates").properties.expect("outputs");
    door.diff(&outputs, deep.clone(), deep, &[]).await;
    let refusal = door.create(json!({ "thingName": "b", "props": nested(61) })).await.expect_err("too deep");
    assert_eq!(
        (refusal.code(), refusal.message()),
        (
            Code::InvalidArgument,
            "the engine sent a property value that cannot be read at `props`: it is nested too deeply: this plugin reads \
             up to 60 levels of objects, lists and secrets. Make the value flatter, or pass a part of it as JSON text, for example by `fn::toJSON`"
        )
    );
    assert_eq!(door.demo.things.lock().expect("lock").len(), 1);
}

#[tokio::test]
async fn an_output_that_could_never_be_read_again_is_not_kept() {
    let mut door = Door::open().await;
    let failure = door.create(json!({ "thingName": "deep" })).await.expect_err("says so");
    let kept: ErrorResourceInitFailed = detail(&failure);
    assert_eq!(kept.id, "id-deep");
    let reason =
        "provider demo: the output `state` is nested more than 60 levels deep, which cannot be kept; it is left out";
    assert_eq!(kept.reasons, [reason]);
    let outputs = kept.properties.expect("outputs");
    assert!(!outputs.fields.contains_key("state"));
    let request = DeleteRequest { id: kept.id, urn: urn("t"), properties: Some(outputs), ..DeleteRequest::default() };
    door.client.delete(request).await.expect("deletes");
}
