//! What plans hold.

use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::Action;
use serde_json::{Value as Json, json};

use super::{Stage, json_of};

fn description() -> Json {
    json!({
        "kind": "resource",
        "props": {
            "properties": {
                "name": { "type": "string" },
                "size": { "type": "integer", "minimum": 1 },
                "disks": { "type": "array", "items": { "type": "object", "properties": { "diskType": { "type": "string", "x-replaces": true }, "gigabytes": { "type": "integer" } } } },
            },
            "required": ["name"],
        },
        "state": { "properties": { "fullName": { "type": "string" }, "size": { "type": "integer" } }, "required": ["fullName"] },
    })
}

fn made(name: &str) -> Json {
    json!({ "result": { "id": "x", "state": { "fullName": name, "size": 4 } } })
}

#[tokio::test]
async fn what_a_script_plans_is_in_the_plan_and_must_come_true() {
    let stage = Stage::new(description()).await;
    let planned = json!({ "result": { "plannedState": { "fullName": "a.example", "size": 4 } } });
    stage.answers(&json!({ "modifyPlan": planned, "create": made("a.example") }));
    let config = stage.config(&json!({ "name": "a" }));
    let plan = stage.good_plan(&config, None).await;
    assert_eq!(plan.after.attribute("full_name"), Some(&Value::string("a.example")));
    assert_eq!(plan.after.attribute("size"), Some(&Value::number(4)));
    let step = stage.resource().apply(&plan, &config).await;
    assert!(!step.report.failed(), "{:#?}", step.report.diagnostics);
    stage.answers(&json!({ "modifyPlan": planned, "create": made("b.example") }));
    let (state, said) = stage.apply(&config, None).await;
    assert!(stage.text(&said).contains("with another `state` than the `plannedState`"), "{said:#?}");
    assert!(state.is_some());
    stage.answers(&json!({ "modifyPlan": { "result": { "plannedState": { "fullName": 5 } } } }));
    let (_, said) = stage.plan(&config, None).await;
    assert!(stage.text(&said).contains("`plannedState.fullName` must be a string, not a number."), "{said:#?}");
}

#[tokio::test]
async fn a_script_may_ask_for_a_replacement_or_for_no_change() {
    let stage = Stage::new(description()).await;
    // A script that has no `modifyPlan` is not asked again.
    stage.answers(&json!({ "create": made("a"), "modifyPlan": { "result": {} } }));
    let state = stage.good_apply(&json!({ "name": "a" }), None).await;
    let changed = stage.config(&json!({ "name": "b" }));
    stage.answers(&json!({ "modifyPlan": { "result": { "requiresReplacement": true } } }));
    let plan = stage.good_plan(&changed, Some(&state)).await;
    assert_eq!(plan.action, Action::Replace);
    let replaces: Vec<String> = plan.requires_replace.iter().map(ToString::to_string).collect();
    assert_eq!(replaces, ["name"]);
    stage.answers(&json!({ "modifyPlan": { "result": { "modifiedProps": { "name": "a" } } } }));
    assert_eq!(stage.good_plan(&changed, Some(&state)).await.action, Action::NoOp);
    stage.answers(&json!({ "modifyPlan": { "result": {} } }));
    let plan = stage.good_plan(&changed, Some(&state)).await;
    assert_eq!(plan.action, Action::Update);
    assert!(!plan.after.attribute("full_name").unwrap().is_known());
    assert_eq!(plan.after.attribute("id"), Some(&Value::string("x")));
}

#[tokio::test]
async fn a_part_of_an_element_may_replace_the_object() {
    let stage = Stage::new(description()).await;
    stage.answers(&json!({ "create": made("a") }));
    let disks = |kind: &str, size: i64| json!({ "name": "a", "disks": [{ "disk_type": kind, "gigabytes": size }] });
    let state = stage.good_apply(&disks("ssd", 1), None).await;
    assert_eq!(stage.good_plan(&stage.config(&disks("ssd", 2)), Some(&state)).await.action, Action::Update);
    assert_eq!(stage.good_plan(&stage.config(&disks("hdd", 1)), Some(&state)).await.action, Action::Replace);
}

#[tokio::test]
async fn what_is_not_known_yet_is_named_by_the_scripts_names_and_checked_when_it_is() {
    let stage = Stage::new(description()).await;
    let config = stage.config(&json!({ "name": "a" })).with_attribute("size", Value::unknown(Type::Number));
    let plan = stage.good_plan(&config, None).await;
    let asked = stage.calls().pop().unwrap();
    assert!(asked.contains(r#""unknownPaths":[["nextProps","size"]]"#), "{asked}");
    let known = stage.config(&json!({ "name": "a", "size": 0 }));
    let said = stage.resource().apply(&plan, &known).await.report.diagnostics;
    assert!(stage.text(&said).contains("`size` must be at least 1."), "{said:#?}");
    assert!(!stage.calls().iter().any(|call| call.starts_with("create")), "nothing was made");
}

#[tokio::test]
async fn what_a_script_says_of_a_part_is_said_at_its_attribute() {
    let stage = Stage::new(description()).await;
    let said = |path: Json| json!([{ "severity": "error", "summary": "s", "detail": "d", "propPath": path }]);
    let cases = [
        (json!(["nextProps", "disks", 0, "diskType"]), "disks[0]"),
        (json!(["nextProps", "name"]), "name"),
        (json!(["disks"]), "disks"),
        (json!(["nothing"]), ""),
    ];
    for (path, expected) in cases {
        stage.answers(&json!({ "modifyPlan": { "result": { "diagnostics": said(path.clone()) } } }));
        let config = stage.config(&json!({ "name": "a", "disks": [{ "disk_type": "ssd" }] }));
        let (_, diagnostics) = stage.plan(&config, None).await;
        let found = diagnostics.iter().next().unwrap();
        assert_eq!(found.attribute.to_string(), expected, "{path}");
    }
}

#[tokio::test]
async fn a_value_of_the_scripts_that_the_program_then_gives_is_no_change() {
    let stage = Stage::new(description()).await;
    stage.answers(&json!({ "create": made("a") }));
    let state = stage.good_apply(&json!({ "name": "a" }), None).await;
    assert_eq!(json_of(&state)["size"], json!(4));
    let plan = |size: i64| stage.config(&json!({ "name": "a", "size": size }));
    assert_eq!(stage.good_plan(&plan(4), Some(&state)).await.action, Action::NoOp);
    assert_eq!(stage.good_plan(&plan(5), Some(&state)).await.action, Action::Update);
    assert_eq!(stage.good_plan(&stage.config(&json!({ "name": "a" })), Some(&state)).await.action, Action::NoOp);
}
