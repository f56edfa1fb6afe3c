//! What a foreign provider has beside resources: functions, data sources, and the kinds that the Go bridge does not offer.

use denobridge_pulumi::proto::pulumirpc::InvokeResponse;
use serde_json::{Value as Json, json};

use crate::bridged::Foreign;
use crate::support::{json_of, secret, without_meta};

fn result(answer: InvokeResponse) -> Json {
    json_of(&answer.r#return.expect("result"))
}

#[tokio::test]
async fn what_is_opened_is_secret() {
    let mut acme = Foreign::server().await;
    let answer = acme.invoke("openLogin:openLogin", json!({ "userName": "me" }), false).await.expect("answers");
    assert_eq!(result(answer), json!({ "userName": "me", "passPhrase": secret(json!("canary")) }));
}

#[tokio::test]
async fn a_list_has_a_limit_and_objects_if_asked_for() {
    let mut acme = Foreign::server().await;
    let identity = json!({ "zoneName": "z", "key": "k" });
    let answer = acme.invoke("listRecord:listRecord", json!({ "limit": 1 }), false).await.expect("answers");
    assert_eq!(result(answer), json!({ "results": [{ "displayName": "record 1", "identity": identity }] }));
    let whole = json!({ "limit": 2, "includeResource": true, "zoneName": "z" });
    let found = result(acme.invoke("listRecord:listRecord", whole, false).await.expect("answers"));
    assert_eq!(found["results"][1]["resource"], json!({ "recordId": 2, "key": "k" }));
}

#[tokio::test]
async fn an_action_runs_when_it_is_created_and_when_its_triggers_change() {
    let mut reboot = Foreign::open("rebootAction:RebootAction").await;
    let inputs = json!({ "serverId": "i-1", "triggers": [1] });
    reboot.create_with(inputs.clone(), true, 0.0).await.expect("previews");
    assert!(reboot.door.log.lock().expect("lock").is_empty(), "a preview runs nothing");
    let outputs = reboot.create(inputs.clone()).await;
    assert_eq!(reboot.door.logged("going down").await.message, "going down");
    assert_eq!(reboot.door.logged("Slow").await.message, "Slow: it took long");
    assert_eq!(without_meta(&outputs), inputs);
    let again = json!({ "serverId": "i-1", "triggers": [2] });
    let diff = reboot.diff(&outputs, inputs.clone(), again.clone(), &[]).await;
    assert_eq!((diff.diffs, diff.replaces.len()), (vec!["triggers".to_owned()], 0));
    let refreshed = reboot.read("t", Some(outputs.clone()), Some(inputs)).await;
    assert_eq!((refreshed.id.as_str(), refreshed.properties.as_ref()), ("t", Some(&outputs)));
    let updated = reboot.update(&outputs, again.clone(), &[], 0.0).await.expect("updates");
    assert_eq!(without_meta(&updated), again);
    reboot.delete(updated, 0.0).await;
}

#[tokio::test]
async fn functions_and_data_sources_answer() {
    let mut acme = Foreign::server().await;
    let zone =
        acme.invoke("getZone:getZone", json!({ "zoneName": "z" }), false).await.expect("a warning fails nothing");
    let zone = json_of(&zone.r#return.expect("result"));
    assert_eq!(zone, json!({ "zoneName": "z", "records": ["a", "b"], "apiKey": secret(json!("canary")) }));
    assert_eq!(acme.door.logged("Deprecated").await.message, "Deprecated: use another (property `zoneName`)");
    let answer = acme
        .invoke("join:join", json!({ "first": "a", "rest": ["b", 1, { "c": true }] }), false)
        .await
        .expect("answers");
    assert_eq!(result(answer), json!({ "result": "a/b/?/?" }));
    // Parameters that share a name, or have none, are told apart by their place.
    let twins = json!({ "x": "1", "x2": "2", "arg3": "3" });
    assert_eq!(result(acme.invoke("twins:twins", twins, false).await.expect("answers")), json!({ "result": "1/2/3" }));
    let failures = acme.invoke("twins:twins", json!({ "x": "1", "x2": "wrong", "arg3": "3", "y": 1 }), false).await;
    let failures = crate::bridged::failures(failures.expect("answers").failures);
    assert_eq!(failures[0].0, "y");
    let failures = acme.invoke("twins:twins", json!({ "x": "1", "x2": "wrong", "arg3": "3" }), false).await;
    let failures = crate::bridged::failures(failures.expect("answers").failures);
    assert_eq!(failures, [("x2".to_owned(), "\"wrong\" is wrong".to_owned())]);
    let failures = acme.invoke("join:join", json!({}), false).await.expect("answers").failures;
    assert_eq!(failures[0].reason, "the argument is required, but it is not given");
}
