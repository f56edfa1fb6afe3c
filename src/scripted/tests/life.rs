//! From creation to deletion.

use denobridge_core::cty::Value;
use denobridge_core::planning::Action;
use serde_json::json;

use super::{Stage, attribute, value};

#[tokio::test]
async fn a_whole_life_and_what_the_script_is_sent() {
    whole_life(Stage::new().await).await;
}

#[tokio::test]
async fn a_whole_life_between_processes() {
    whole_life(Stage::reencoded().await).await;
}

async fn whole_life(stage: Stage) {
    stage.answers(&json!({
        "create": { "result": { "id": "x", "state": { "n": 1 }, "sensitiveState": { "token": "t0" } } },
        "modifyPlan": { "result": { "noChanges": true } },
    }));
    let first = stage.props(&json!({ "color": "red", "none": null }));
    let state = stage.good_apply(&first, None).await;
    assert_eq!(attribute(&state, "id"), &Value::string("x"));
    assert_eq!(attribute(&state, "state"), &value(&json!({ "n": 1 })));
    assert_eq!(attribute(&state, "write_only_props_version"), &Value::number(1));
    let next = r#""nextProps":{"color":"red","none":null}"#;
    let asked = format!(
        r#"modifyPlan {{"id":null,"planType":"create",{next},"currentProps":null,"currentState":null,"currentSensitiveState":null}}"#
    );
    let create = r#"create {"props":{"color":"red","none":null}}"#.to_owned();
    assert_eq!(stage.calls(), [asked.clone(), asked, create]);

    let (state, _) = stage.refresh(&state).await;
    let state = state.unwrap();
    let read = r#"read {"id":"x","props":{"color":"red","none":null},"state":{"n":1},"sensitiveState":{"token":"t0"}}"#;
    assert_eq!(stage.calls(), [read]);
    assert_eq!(stage.good_plan(&first, Some(&state)).await.action, Action::NoOp);
    assert!(stage.calls().is_empty(), "a plan without changes asks nothing");

    let second = stage.props(&json!({ "color": "green", "none": null }));
    let plan = stage.good_plan(&second, Some(&state)).await;
    assert_eq!(plan.action, Action::Update);
    assert_eq!(plan.after.attribute("id"), Some(&Value::string("x")), "the id stays known");
    assert!(!plan.after.attribute("state").unwrap().is_known());
    let state = stage.good_apply(&second, Some(&state)).await;
    let calls = stage.calls();
    let current =
        r#""currentProps":{"color":"red","none":null},"currentState":{"n":1},"currentSensitiveState":{"token":"t0"}"#;
    let update = format!(r#"update {{"id":"x","nextProps":{{"color":"green","none":null}},{current}}}"#);
    assert_eq!(calls.last().unwrap(), &update);
    assert_eq!(attribute(&state, "state"), &value(&json!({ "made": true })));
    assert!(attribute(&state, "sensitive_state").is_null());

    let (left, diagnostics) = stage.destroy(&state).await;
    assert!(left.is_none() && diagnostics.is_empty());
    let calls = stage.calls();
    let props = r#""props":{"color":"green","none":null},"state":{"made":true},"sensitiveState":null"#;
    assert_eq!(calls[1], format!(r#"delete {{"id":"x",{props}}}"#));
    assert!(calls[0].contains(r#""planType":"delete","nextProps":null"#), "{}", calls[0]);
}

#[tokio::test]
async fn drift_and_disappearance_are_found() {
    let stage = Stage::new().await;
    let config = stage.props(&json!({ "color": "red" }));
    let state = stage.good_apply(&config, None).await;
    stage.answers(&json!({ "read": { "result": { "props": { "color": "blue" }, "state": { "made": false } } } }));
    let (found, _) = stage.refresh(&state).await;
    let found = found.unwrap();
    assert_eq!(attribute(&found, "props"), &value(&json!({ "color": "blue" })));
    assert_eq!(found.private, state.private);
    assert_eq!(stage.good_plan(&config, Some(&found)).await.action, Action::Update);

    let warning = json!([{ "severity": "warning", "summary": "gone", "detail": "since yesterday" }]);
    stage.answers(&json!({ "read": { "result": { "exists": false, "diagnostics": warning } } }));
    let (found, diagnostics) = stage.refresh(&state).await;
    assert!(found.is_none());
    assert_eq!(stage.text(&diagnostics), "warning at []: gone\nsince yesterday");
}

#[tokio::test]
async fn whatever_is_in_props_a_second_plan_finds_no_change() {
    no_change(Stage::new().await).await;
}

#[tokio::test]
async fn nor_does_one_between_processes() {
    no_change(Stage::reencoded().await).await;
}

async fn no_change(stage: Stage) {
    for extra in [
        json!(["a", "b"]),
        json!([]),
        json!(0.1),
        serde_json::from_str("9007199254740993").unwrap(),
        serde_json::from_str("123456789012345678901234567890").unwrap(),
        json!({ "k": "v" }),
        json!([1, "a", null]),
        json!([{ "a": 1 }, { "b": "2" }]),
        json!(null),
        json!("cafe\u{301}"),
        json!({}),
    ] {
        let config = stage.props(&json!({ "extra": extra }));
        let state = stage.good_apply(&config, None).await;
        let (state, diagnostics) = stage.refresh(&state).await;
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        assert_eq!(stage.good_plan(&config, state.as_ref()).await.action, Action::NoOp, "{extra}");
    }
}

#[tokio::test]
async fn sets_and_maps_keep_their_type_too() {
    use denobridge_core::cty::Type;
    let stage = Stage::new().await;
    let set = Value::set(Type::String, [Value::string("b"), Value::string("a")]);
    let map = Value::map(Type::Number, [("k", Value::number(1))]);
    let config = stage.config(&[("props", Value::object([("set", set), ("map", map)]))]);
    let state = stage.good_apply(&config, None).await;
    assert!(stage.calls().last().unwrap().contains(r#""set":["a","b"]"#));
    let (state, _) = stage.refresh(&state).await;
    assert_eq!(stage.good_plan(&config, state.as_ref()).await.action, Action::NoOp);
}

#[tokio::test]
async fn without_props_the_script_gets_an_empty_object() {
    let stage = Stage::new().await;
    let config = stage.config(&[]);
    let state = stage.good_apply(&config, None).await;
    assert!(attribute(&state, "props").is_null());
    assert_eq!(stage.calls().last().unwrap(), r#"create {"props":{}}"#);
    let (state, _) = stage.refresh(&state).await;
    assert!(stage.calls()[0].contains(r#""props":{}"#));
    assert_eq!(stage.good_plan(&config, state.as_ref()).await.action, Action::NoOp);
}

#[tokio::test]
async fn import_by_json_id() {
    let stage = Stage::new().await;
    stage.answers(&json!({ "read": { "result": { "props": { "color": "blue" }, "state": { "n": 1 } } } }));
    let folder = stage.folder.path().to_str().unwrap();
    let allow = [format!("read={folder}"), format!("write={folder}")];
    let id = json!({ "ID": "x", "path": stage.script(), "permissions": { "Allow": allow } });
    let step = stage.resource().import(&id.to_string()).await;
    assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
    let state = step.value.unwrap();
    let (state, _) = match stage.calls().as_slice() {
        // The host may leave the first read to us.
        [] => stage.refresh(&state).await,
        calls => {
            assert_eq!(calls, [r#"read {"id":"x","props":null,"state":null,"sensitiveState":null}"#]);
            (Some(state), denobridge_core::Diagnostics::new())
        }
    };
    let state = state.unwrap();
    assert_eq!(attribute(&state, "props"), &value(&json!({ "color": "blue" })));
    assert!(attribute(&state, "write_only_props_version").is_null());
    let plan = stage.good_plan(&stage.props(&json!({ "color": "blue" })), Some(&state)).await;
    assert_eq!(plan.action, Action::NoOp, "lists that were left out stay null");
}

#[tokio::test]
async fn the_same_permissions_in_other_words_are_no_matter_for_the_script() {
    let stage = Stage::new().await;
    let permissions = |json: serde_json::Value| stage.config(&[("permissions", value(&json))]);
    let state = stage.good_apply(&permissions(json!({ "all": true })), None).await;
    stage.calls();
    let config = permissions(json!({ "all": true, "allow": ["read"], "deny": [] }));
    let plan = stage.good_plan(&config, Some(&state)).await;
    assert_eq!(plan.action, Action::Update);
    assert_eq!(stage.methods(), ["modifyPlan"], "allow is another permission, even if it says nothing beside all");
    let config = permissions(json!({ "all": true, "allow": [], "deny": [] }));
    let after = stage.good_apply(&config, Some(&state)).await;
    assert_eq!(attribute(&after, "state"), attribute(&state, "state"));
    assert!(stage.calls().is_empty());
}

#[tokio::test]
async fn an_import_id_that_is_no_json_is_refused() {
    let stage = Stage::new().await;
    let step = stage.resource().import("record.json").await;
    insta::assert_snapshot!(stage.text(&step.report.diagnostics), @r#"
    error at []: Invalid Import ID Format
    The id is not JSON: expected value at line 1 column 1.

    The id of an import is JSON, such as
      {"id": "the-object", "path": "./script.ts", "permissions": {"allow": ["read"]}}
    "#);
}

#[tokio::test]
async fn a_state_with_more_or_fewer_attributes_is_read() {
    let stage = Stage::new().await;
    let config = stage.props(&json!({ "color": "red" }));
    let state = stage.good_apply(&config, None).await;
    let mut stored = stage.resource().store(&state).unwrap();
    let attributes = stored.attributes.as_object_mut().unwrap();
    for absent in ["sensitive_state", "write_only_props", "write_only_props_version"] {
        attributes.remove(absent);
    }
    attributes.insert("of_another_release".to_owned(), json!(true));
    let step = stage.resource().load(&stored).await;
    assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
    let loaded = step.value.unwrap();
    assert_eq!(attribute(&loaded, "props"), attribute(&state, "props"));
    assert_eq!(stage.good_plan(&config, Some(&loaded)).await.action, Action::NoOp);
}

#[tokio::test]
async fn two_hundred_resources_use_one_process_and_few_questions() {
    let stage = Stage::new().await;
    let config = stage.props(&json!({ "color": "red" }));
    for _ in 0..200 {
        stage.good_apply(&config, None).await;
    }
    let calls = stage.recorded();
    let count = |method: &str| calls.iter().filter(|call| call["method"] == method).count();
    assert_eq!(count("create"), 200);
    assert_eq!(count("modifyPlan"), 1, "a script without modifyPlan is asked once");
    assert!(calls.iter().all(|call| call["pid"] == calls[0]["pid"]));
}
