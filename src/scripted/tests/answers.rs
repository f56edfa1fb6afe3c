//! What scripts answer, right and wrong.

use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::Action;
use serde_json::{Value as Json, json};

use super::{Stage, attribute, value};

async fn created(answer: Json) -> (Stage, Option<denobridge_framework::host::ResourceState>, String) {
    let stage = Stage::new().await;
    stage.answers(&json!({ "create": answer }));
    let (state, diagnostics) = stage.apply(&stage.props(&json!({ "color": "red" })), None).await;
    let text = stage.text(&diagnostics);
    (stage, state, text)
}

fn error() -> Json {
    json!([{ "severity": "error", "summary": "half made", "detail": "clean up x" }])
}

fn warning() -> Json {
    json!([{ "severity": "warning", "summary": "slow", "detail": "d" }])
}

#[tokio::test]
async fn an_object_that_was_made_is_recorded_whatever_else_went_wrong() {
    let (stage, state, text) =
        created(json!({ "result": { "id": "x", "state": { "n": 1 }, "diagnostics": error() } })).await;
    assert_eq!(text, "error at []: half made\nclean up x");
    let state = state.unwrap();
    assert!(state.tainted);
    assert_eq!(attribute(&state, "id"), &Value::string("x"));
    assert_eq!(attribute(&state, "state"), &value(&json!({ "n": 1 })));
    stage.answers(&json!({}));
    let again = stage.good_plan(&stage.props(&json!({ "color": "red" })), Some(&state)).await;
    assert_eq!(again.action, Action::Replace);
}

#[tokio::test]
async fn no_object_is_recorded_without_an_id() {
    let (_, state, text) = created(json!({ "result": { "diagnostics": error() } })).await;
    assert!(state.is_none());
    assert_eq!(text, "error at []: half made\nclean up x");
    let (_, state, text) = created(json!({ "result": { "state": {} } })).await;
    assert!(state.is_none());
    insta::assert_snapshot!(text, @r#"
    error at []: Failed to create resource
    Script FOLDER/played.ts answered "create" without an `id`, so the object cannot be managed. If the script has made it, remove it by hand.

    Correct the script: `id` must be a string that is not empty.
    "#);
    let (_, state, text) = created(json!({ "result": null })).await;
    assert!(state.is_none());
    assert!(text.contains("without an `id`"), "{text}");
}

#[tokio::test]
async fn a_number_as_id_is_an_error_that_does_not_lose_the_object() {
    let (_, state, text) = created(json!({ "result": { "id": 42, "state": {} } })).await;
    insta::assert_snapshot!(text, @r#"
    error at []: Failed to create resource
    Script FOLDER/played.ts answered "create" with something that the contract does not allow: `id` must be a string, not a number.

    Correct the script.
    "#);
    assert_eq!(attribute(&state.unwrap(), "id"), &Value::string("42"));
}

#[tokio::test]
async fn answers_that_are_no_objects_are_named() {
    let (_, state, text) = created(json!({ "result": ["x"] })).await;
    assert!(state.is_none());
    insta::assert_snapshot!(text, @r#"
    error at []: Failed to create resource
    Script FOLDER/played.ts answered "create" with something that the contract does not allow: the answer must be an object, not an array.

    Correct the script.
    "#);
}

#[tokio::test]
async fn a_script_that_refuses_is_quoted_with_its_data() {
    let error = json!({ "code": -32010, "message": "already there", "data": { "since": "yesterday" } });
    let (_, state, text) = created(json!({ "error": error })).await;
    assert!(state.is_none());
    insta::assert_snapshot!(text, @r#"
    error at []: Failed to create resource
    Script FOLDER/played.ts reported an error.

    "create" failed: already there (code -32010)
    It adds: {"since":"yesterday"}
    "#);
}

#[tokio::test]
async fn states_of_any_shape_are_recorded_with_useful_types() {
    let state = json!({ "names": ["a", "b"], "mixed": [1, "a"], "none": [], "members": [{ "x": 1 }, { "x": "a" }] });
    let (_, state, text) = created(json!({ "result": { "id": "x", "state": state } })).await;
    assert_eq!(text, "");
    let state = state.unwrap();
    let ty = |name: &str| attribute(&state, "state").attribute(name).unwrap().ty();
    assert_eq!(ty("names"), Type::list(Type::String));
    assert_eq!(ty("mixed").to_string(), "tuple([number, string])");
    assert_eq!(ty("none"), Type::tuple([]));
    assert_eq!(ty("members").to_string(), "tuple([object({x = number}), object({x = string})])");
}

#[tokio::test]
async fn a_sensitive_state_beside_a_warning_is_not_shown() {
    let state = json!({ "n": 1, "sensitive": { "token": "canary" } });
    let (_, state, _) = created(json!({ "result": { "id": "x", "state": state, "diagnostics": warning() } })).await;
    let state = state.unwrap();
    assert_eq!(attribute(&state, "state"), &value(&json!({ "n": 1 })));
    let sensitive = attribute(&state, "sensitive_state").clone();
    assert_eq!(sensitive.without_marks_deep(), value(&json!({ "token": "canary" })));
}

#[tokio::test]
async fn an_update_with_a_warning_keeps_its_state() {
    let stage = Stage::new().await;
    let state = stage.good_apply(&stage.props(&json!({ "n": 1 })), None).await;
    let answer = json!({ "n": 2, "sensitive": { "t": "t" }, "diagnostics": warning() });
    stage.answers(&json!({ "update": { "result": answer } }));
    let state = stage.good_apply(&stage.props(&json!({ "n": 2 })), Some(&state)).await;
    assert_eq!(attribute(&state, "state"), &value(&json!({ "n": 2 })));
    assert_eq!(attribute(&state, "sensitive_state").clone().without_marks_deep(), value(&json!({ "t": "t" })));
}

#[tokio::test]
async fn an_update_cannot_change_the_id_and_a_failed_one_changes_nothing() {
    let stage = Stage::new().await;
    let before = stage.good_apply(&stage.props(&json!({ "n": 1 })), None).await;
    stage.answers(&json!({ "update": { "result": { "id": "y", "state": { "n": 2 } } } }));
    let (after, diagnostics) = stage.apply(&stage.props(&json!({ "n": 2 })), Some(&before)).await;
    insta::assert_snapshot!(stage.text(&diagnostics), @r#"
    error at []: Failed to update resource
    Script FOLDER/played.ts answered "update" with the id "y", but the object is "x". An update cannot change the id; the old one is kept.

    To replace the object instead, answer `requiresReplacement: true` in "modifyPlan".
    "#);
    let after = after.unwrap();
    assert_eq!(attribute(&after, "id"), &Value::string("x"));
    assert_eq!(attribute(&after, "state"), &value(&json!({ "n": 2 })));

    stage.answers(&json!({ "update": { "result": { "state": { "n": 3 }, "diagnostics": error() } } }));
    let (after, diagnostics) = stage.apply(&stage.props(&json!({ "n": 3 })), Some(&before)).await;
    assert!(diagnostics.has_errors());
    assert_eq!(after.unwrap().value, before.value);
}

#[tokio::test]
async fn a_read_that_says_nothing_is_an_error_and_keeps_the_object() {
    let stage = Stage::new().await;
    let state = stage.good_apply(&stage.props(&json!({ "n": 1 })), None).await;
    stage.answers(&json!({ "read": { "result": null } }));
    let (kept, diagnostics) = stage.refresh(&state).await;
    insta::assert_snapshot!(stage.text(&diagnostics), @r#"
    error at []: Failed to read resource
    Script FOLDER/played.ts answered "read" with nothing. It must answer the object's `props` and `state`, or `exists: false`.

    The object is "x".
    "#);
    assert_eq!(kept.unwrap().value, state.value);
    stage.answers(&json!({ "read": { "result": { "exists": "no" } } }));
    let (_, diagnostics) = stage.refresh(&state).await;
    assert!(stage.text(&diagnostics).contains("`exists` must be a boolean, not a string"));
}

#[tokio::test]
async fn a_deletion_is_done_unless_it_says_otherwise() {
    let stage = Stage::new().await;
    let state = stage.good_apply(&stage.props(&json!({ "n": 1 })), None).await;
    for done in [json!({}), json!(null), json!({ "diagnostics": warning() }), json!({ "done": true })] {
        stage.answers(&json!({ "delete": { "result": done } }));
        let (left, diagnostics) = stage.destroy(&state).await;
        assert!(left.is_none() && !diagnostics.has_errors(), "{done}: {diagnostics:?}");
    }
    stage.answers(&json!({ "delete": { "result": { "done": false } } }));
    let (left, diagnostics) = stage.destroy(&state).await;
    assert_eq!(left.unwrap().value, state.value);
    insta::assert_snapshot!(stage.text(&diagnostics), @r#"
    error at []: Failed to delete resource
    Script FOLDER/played.ts did not report the operation as done: it answered `done: false`.

    The object is "x".
    "#);
    let refused = json!({ "code": -32000, "message": "in use" });
    stage.answers(&json!({ "delete": { "error": refused } }));
    let (_, diagnostics) = stage.destroy(&state).await;
    insta::assert_snapshot!(stage.text(&diagnostics), @r#"
    error at []: Failed to delete resource
    Script FOLDER/played.ts reported an error.

    "delete" failed: in use (code -32000)

    The object is "x".
    "#);
    // A script that says itself which object it is is not corrected.
    stage.answers(&json!({ "delete": { "error": { "code": -32000, "message": "\"x\" is in use" } } }));
    let (_, diagnostics) = stage.destroy(&state).await;
    assert!(!stage.text(&diagnostics).contains("The object is"));
}

#[tokio::test]
async fn diagnostics_that_cannot_be_shown_do_not_lose_the_object() {
    let diagnostics = json!([{ "severity": "warning", "summary": "slow" }, "oh no"]);
    let (_, state, text) = created(json!({ "result": { "id": "x", "state": 1, "diagnostics": diagnostics } })).await;
    assert!(state.is_some_and(|state| state.tainted && attribute(&state, "state") == &Value::number(1)));
    assert!(text.contains("slow") && text.contains("`diagnostics[1]` must be an object, not a string"), "{text}");
}

#[tokio::test]
async fn an_object_that_a_damaged_answer_names_is_recorded() {
    let raw = "{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{\"id\":\"x\",\"state\":\nconsole.log\n{}}}";
    let (_, state, text) = created(json!({ "raw": raw })).await;
    let state = state.unwrap();
    assert!(state.tainted);
    assert_eq!(attribute(&state, "id"), &Value::string("x"));
    insta::assert_snapshot!(text, @r#"
    error at []: Failed to create resource
    Script FOLDER/played.ts gave an answer that is not JSON.

    The answer to "create" stops being JSON on this line (expected value):
      console.log

    Write nothing but JSON-RPC messages to standard output; use console.error for everything else.

    The answer names the object "x", so it was made and is recorded.
    "#);
}

#[tokio::test]
async fn an_object_that_is_named_beside_an_error_is_recorded() {
    let error = json!({ "code": -32000, "message": "the tag was refused" });
    let (_, state, text) = created(json!({ "error": error, "result": { "id": "x", "state": 1 } })).await;
    let state = state.unwrap();
    assert!(state.tainted);
    assert_eq!(attribute(&state, "id"), &Value::string("x"));
    insta::assert_snapshot!(text, @r#"
    error at []: Failed to create resource
    Script FOLDER/played.ts reported an error.

    "create" failed: the tag was refused (code -32000)

    The answer names the object "x", so it was made and is recorded.
    "#);
}

#[tokio::test]
async fn what_javascript_writes_and_no_value_can_be_does_not_lose_the_object() {
    let deep = format!("{}1{}", "[".repeat(300), "]".repeat(300));
    let answer =
        |state: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":ID,\"result\":{{\"id\":\"x\",\"state\":{state}}}}}");
    let (_, state, text) = created(json!({ "raw": answer(&deep) })).await;
    assert!(state.is_some_and(|state| state.tainted && attribute(&state, "id") == &Value::string("x")));
    insta::assert_snapshot!(text, @r#"
    error at []: Failed to create resource
    Script FOLDER/played.ts answered "create" with something that the contract does not allow: `state` cannot be stored: it is nested more than 126 levels deep.

    Correct the script.
    "#);
    let (_, state, text) = created(json!({ "raw": answer("\"half \\ud83d\"") })).await;
    assert_eq!(text, "");
    assert_eq!(attribute(&state.unwrap(), "state"), &Value::string("half \u{fffd}"));
}
