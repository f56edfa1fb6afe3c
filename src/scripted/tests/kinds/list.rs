//! The list resource, which Terraform has from 1.14 on.

use denobridge_core::cty::Value;
use denobridge_framework::host::ListedObject;
use serde_json::{Value as Json, json};

use super::super::{RESOURCE, Stage, attribute, value};
use super::{error, warning};

async fn list(stage: &Stage, include_object: bool, limit: i64) -> (Vec<ListedObject>, String) {
    let list = stage.host.list_resource(RESOURCE, "l").unwrap();
    let config = list.config(&stage.asking(&json!({ "tag": "t" }))).unwrap();
    let step = list.list(&config, include_object, limit).await;
    (step.value, stage.text(&step.report.diagnostics))
}

fn object(id: &str) -> Json {
    json!({ "id": id, "displayName": format!("The {id}"), "props": { "n": 1 }, "state": { "made": true } })
}

#[tokio::test]
async fn pages_are_asked_for_until_there_are_no_more() {
    let stage = Stage::new().await;
    stage.answers(&json!({ "list": [
        { "result": { "objects": [object("a"), { "id": "b" }], "cursor": { "after": "b" } } },
        { "result": { "objects": [], "cursor": 2 } },
        { "result": { "objects": [object("c")] } },
    ]}));
    let (found, text) = list(&stage, false, 100).await;
    assert_eq!(text, "");
    let names: Vec<&str> = found.iter().map(|found| found.display_name.as_str()).collect();
    assert_eq!(names, ["The a", "b", "The c"]);
    assert_eq!(found[1].identity.attribute("id"), Some(&Value::string("b")));
    assert!(found[0].object.is_none());
    assert_eq!(
        stage.calls(),
        [
            r#"list {"props":{"tag":"t"},"includeObject":false,"limit":100,"cursor":null}"#,
            r#"list {"props":{"tag":"t"},"includeObject":false,"limit":98,"cursor":{"after":"b"}}"#,
            r#"list {"props":{"tag":"t"},"includeObject":false,"limit":98,"cursor":2}"#,
        ]
    );
}

#[tokio::test]
async fn no_more_pages_are_asked_for_than_are_wanted() {
    let stage = Stage::new().await;
    stage.answers(&json!({ "list": { "result": { "objects": [object("a"), object("b")], "cursor": 1 } } }));
    let (found, text) = list(&stage, false, 2).await;
    assert_eq!((found.len(), text.as_str()), (2, ""));
    assert_eq!(stage.methods(), ["list"]);
}

#[tokio::test]
async fn what_is_found_can_be_imported_by_its_identity() {
    let stage = Stage::new().await;
    stage.answers(&json!({ "list": { "result": { "objects": [object("a")] } } }));
    let (found, text) = list(&stage, true, 10).await;
    assert_eq!(text, "");
    let whole = found[0].object.clone().unwrap();
    assert_eq!(whole.attribute("props"), Some(&value(&json!({ "n": 1 }))));
    assert_eq!(whole.attribute("state"), Some(&value(&json!({ "made": true }))));
    let read = json!({ "result": { "props": { "n": 1 }, "state": { "made": true } } });
    stage.answers(&json!({ "read": read }));
    let state = stage.resource().import_by_identity(&found[0].identity).await.expect_some();
    assert_eq!(attribute(&state, "id"), &Value::string("a"));
    assert_eq!(attribute(&state, "props"), &value(&json!({ "n": 1 })));
    assert_eq!(attribute(&state, "permissions"), whole.attribute("permissions").unwrap());
    let config = stage.props(&json!({ "n": 1 }));
    let plan = stage.good_plan(&config, Some(&state)).await;
    assert_eq!(plan.action, denobridge_core::planning::Action::NoOp, "{plan:#?}");
}

#[tokio::test]
async fn answers_that_cannot_be_used_are_named_and_end_the_search() {
    let stage = Stage::new().await;
    for (answer, message) in [
        (json!({}), "without `objects`"),
        (json!({ "objects": {} }), "`objects` must be an array, not an object"),
        (json!({ "objects": [object("a"), 1] }), "`objects[1]` must be an object, not a number"),
        (json!({ "objects": [{ "id": 7 }] }), "`objects[0].id` must be a string that is not empty, not a number"),
        (json!({ "objects": [], "cursor": 1 }), "which would never end"),
        (json!({ "objects": [], "diagnostics": error() }), "broken"),
    ] {
        stage.answers(&json!({ "list": { "result": answer } }));
        let (_, text) = list(&stage, false, 100).await;
        assert!(text.contains(message), "{answer}: {text}");
    }
    let not_found = json!({ "error": { "code": -32601, "message": "Method not found" } });
    stage.answers(&json!({ "list": not_found }));
    assert!(list(&stage, false, 100).await.1.contains("does not implement list"));
}

#[tokio::test]
async fn warnings_are_passed_on_about_the_search_and_about_an_object() {
    let stage = Stage::new().await;
    let warned = json!({ "id": "a", "diagnostics": warning() });
    stage.answers(&json!({ "list": { "result": { "objects": [warned], "diagnostics": warning() } } }));
    let (found, text) = list(&stage, false, 100).await;
    assert_eq!(found.len(), 1);
    assert_eq!(text, "warning at []: slow\nd\n---\nwarning at []: slow\nd");
}
