//! What modifyPlan is asked and what may be answered.

use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::Action;
use denobridge_framework::host::ResourceState;
use serde_json::{Value as Json, json};

use super::{Stage, attribute, value};

/// An object with props {"n": 1}.
async fn existing() -> (Stage, ResourceState) {
    let stage = Stage::new().await;
    let state = stage.good_apply(&stage.props(&json!({ "n": 1 })), None).await;
    // Forgets that the script had no modifyPlan.
    let text = std::fs::read_to_string(stage.script()).unwrap();
    std::fs::write(stage.script(), format!("{text}\n// changed\n")).unwrap();
    stage.calls();
    (stage, state)
}

fn plans(stage: &Stage, answer: &Json) {
    stage.answers(&json!({ "modifyPlan": { "result": answer } }));
}

#[tokio::test]
async fn a_script_that_gains_modify_plan_is_asked_again() {
    let (stage, state) = existing().await;
    plans(&stage, &json!({ "requiresReplacement": true }));
    let plan = stage.good_plan(&stage.props(&json!({ "n": 2 })), Some(&state)).await;
    assert_eq!(plan.action, Action::Replace);
    assert_eq!(plan.requires_replace[0].to_string(), "props");
    assert_eq!(stage.methods(), ["modifyPlan", "modifyPlan"], "the replacement is planned as a creation too");
}

#[tokio::test]
async fn props_that_say_the_same_in_another_type_are_no_change() {
    let stage = Stage::new().await;
    let strings = |items: &[&str]| items.iter().map(Value::string).collect::<Vec<_>>();
    let tags = |tags: Value| stage.config(&[("props", Value::object([("tags", tags)]))]);
    let state = stage.good_apply(&tags(Value::list(Type::String, strings(&["a", "b"]))), None).await;
    let same = [Value::tuple(strings(&["a", "b"])), Value::set(Type::String, strings(&["b", "a"]))];
    for same in same {
        assert_eq!(stage.good_plan(&tags(same), Some(&state)).await.action, Action::NoOp);
    }
    let other = Value::tuple(strings(&["b", "a"]));
    assert_eq!(stage.good_plan(&tags(other), Some(&state)).await.action, Action::Update);
}

#[tokio::test]
async fn unknown_values_are_null_and_named() {
    let stage = Stage::new().await;
    plans(&stage, &json!({ "noChanges": true }));
    let props = Value::object([
        ("known", Value::string("k")),
        ("late", Value::unknown(Type::String)),
        ("list", Value::tuple([Value::unknown(Type::Dynamic)])),
    ]);
    stage.good_plan(&stage.config(&[("props", props)]), None).await;
    let asked = stage.calls().remove(0);
    assert!(asked.contains(r#""nextProps":{"known":"k","late":null,"list":[null]}"#), "{asked}");
    assert!(asked.contains(r#""unknownPaths":[["nextProps","late"],["nextProps","list",0]]"#), "{asked}");
    stage.good_plan(&stage.config(&[("props", Value::unknown(Type::Dynamic))]), None).await;
    let asked = stage.calls().remove(0);
    assert!(asked.contains(r#""nextProps":{},"#) && asked.contains(r#""unknownPaths":[["nextProps"]]"#), "{asked}");
}

#[tokio::test]
async fn what_a_schema_says_of_unknown_values_is_not_shown() {
    let stage = Stage::new().await;
    let issue = |path: Json| json!({ "severity": "error", "summary": "Zod Validation Issue", "detail": "expected string", "propPath": path });
    plans(
        &stage,
        &json!({ "diagnostics": [issue(json!(["props", "late"])), issue(json!(["nextProps", "late", "x"]))] }),
    );
    let props = Value::object([("known", Value::string("k")), ("late", Value::unknown(Type::String))]);
    let config = stage.config(&[("props", props)]);
    let (plan, diagnostics) = stage.plan(&config, None).await;
    assert!(plan.is_some() && diagnostics.is_empty(), "{diagnostics:?}");
    plans(&stage, &json!({ "diagnostics": [issue(json!(["props", "known"]))] }));
    let (plan, _) = stage.plan(&config, None).await;
    assert!(plan.is_none());
}

#[tokio::test]
async fn without_permissions_the_script_is_asked_all_the_same() {
    let stage = Stage::new().await;
    let script = stage.folder.path().join("bare.ts");
    let text = include_str!("../testdata/played.ts");
    // No permission at all: it can neither write down calls nor read answers.
    let text = text.replace("Deno.writeTextFileSync", "((..._: unknown[]) => {})").replace("answers[method] ??", "");
    let answer = r#"if (method === "modifyPlan") return { result: { diagnostics: [{ severity: "warning", summary: "asked" }] } };"#;
    std::fs::write(&script, text.replace("switch (method) {", &format!("{answer}\n  switch (method) {{"))).unwrap();
    let config = Value::object([("path", Value::string(script.to_str().unwrap()))]);
    let config = stage.resource().config(&config).unwrap();
    let (plan, diagnostics) = stage.plan(&config, None).await;
    assert!(plan.is_some());
    assert_eq!(stage.text(&diagnostics), "warning at []: asked\n");
}

#[tokio::test]
async fn every_change_that_reaches_the_script_is_put_to_it() {
    let (stage, state) = existing().await;
    plans(&stage, &json!({ "requiresReplacement": true }));
    let props = value(&json!({ "n": 1 }));
    let config = stage.config(&[("props", props.clone()), ("config_file", Value::string("/dev/null"))]);
    let plan = stage.good_plan(&config, Some(&state)).await;
    assert_eq!(plan.action, Action::Replace);
    assert_eq!(plan.requires_replace[0].to_string(), "config_file");
    let config = stage.config(&[("props", props), ("write_only_props", value(&json!({ "secret": "s" })))]);
    let plan = stage.good_plan(&config, Some(&state)).await;
    assert_eq!(plan.action, Action::Replace);
    assert!(!stage.calls().join("").contains("secret"), "write-only props are not part of plans");
}

#[tokio::test]
async fn diagnostics_are_shown_beside_any_answer_and_errors_stop_the_plan() {
    let (stage, state) = existing().await;
    let warning = json!([{ "severity": "warning", "summary": "careful", "detail": "d" }]);
    let changed = stage.props(&json!({ "n": 2 }));
    for answer in [
        json!({ "noChanges": true, "diagnostics": warning }),
        json!({ "requiresReplacement": true, "diagnostics": warning }),
        json!({ "requiresReplacement": false, "diagnostics": warning }),
        json!({ "modifiedProps": { "n": 2 }, "diagnostics": warning }),
        json!({ "diagnostics": warning }),
    ] {
        plans(&stage, &answer);
        let (plan, diagnostics) = stage.plan(&changed, Some(&state)).await;
        assert!(plan.is_some() && stage.text(&diagnostics).contains("careful"), "{answer}: {diagnostics:?}");
    }
    let error = json!([{ "severity": "error", "summary": "no", "detail": "d" }]);
    plans(&stage, &json!({ "noChanges": true, "diagnostics": error }));
    let (plan, diagnostics) = stage.plan(&changed, Some(&state)).await;
    assert!(plan.is_none());
    assert_eq!(stage.text(&diagnostics), "error at []: no\nd");
}

#[tokio::test]
async fn modified_props_may_be_those_of_the_configuration_or_of_the_state() {
    let (stage, state) = existing().await;
    let changed = stage.props(&json!({ "n": 2 }));
    plans(&stage, &json!({ "modifiedProps": { "n": 2 } }));
    assert_eq!(stage.good_plan(&changed, Some(&state)).await.action, Action::Update);
    plans(&stage, &json!({ "modifiedProps": { "n": 1 } }));
    assert_eq!(stage.good_plan(&changed, Some(&state)).await.action, Action::NoOp);
    plans(&stage, &json!({ "modifiedProps": { "n": 2, "size": "small" } }));
    let (plan, diagnostics) = stage.plan(&changed, Some(&state)).await;
    assert!(plan.is_none());
    insta::assert_snapshot!(stage.text(&diagnostics), @r#"
    error at [props]: Failed to modify the plan
    Script FOLDER/played.ts changes `props.size` in `modifiedProps`. A plan can only hold the props as they are configured, or as they were before; others are refused by Terraform and Pulumi alike.

    To fill in defaults, do so where the script uses the props, and show the result in `state`.
    "#);
}

#[tokio::test]
async fn modified_props_mean_nothing_when_deleting() {
    let (stage, state) = existing().await;
    plans(&stage, &json!({ "modifiedProps": { "n": 2 }, "requiresReplacement": true }));
    let (left, diagnostics) = stage.destroy(&state).await;
    assert!(left.is_none() && diagnostics.is_empty(), "{diagnostics:?}");
}

#[tokio::test]
async fn a_planned_state_is_known_before_apply_and_must_come_true() {
    let (stage, state) = existing().await;
    let changed = stage.props(&json!({ "n": 2 }));
    plans(&stage, &json!({ "plannedState": { "made": true } }));
    let plan = stage.good_plan(&changed, Some(&state)).await;
    assert_eq!(plan.after.attribute("state"), Some(attribute(&state, "state")));
    let step = stage.resource().apply(&plan, &changed).await;
    assert!(!step.report.failed(), "{:?}", step.report.diagnostics);
    plans(&stage, &json!({ "plannedState": { "made": 5 } }));
    let (after, diagnostics) = stage.apply(&changed, Some(&state)).await;
    insta::assert_snapshot!(stage.text(&diagnostics), @r#"
    error at []: Failed to update resource
    Script FOLDER/played.ts answered "update" with another `state` than the `plannedState` of its "modifyPlan". What depends on the planned one would be wrong.

    Correct the script: plan only a state that is certain.

    The object is "x".
    "#);
    assert_eq!(attribute(&after.unwrap(), "state"), &value(&json!({ "made": true })));
}

#[tokio::test]
async fn a_script_that_is_not_known_yet_is_asked_later() {
    let stage = Stage::new().await;
    let config = stage.config(&[("permissions", Value::unknown(Type::Dynamic))]);
    let (plan, diagnostics) = stage.plan(&config, None).await;
    assert!(plan.is_some() && diagnostics.is_empty(), "{diagnostics:?}");
    assert!(stage.calls().is_empty());
}

#[tokio::test]
async fn an_edited_script_is_a_change_only_for_those_who_ask() {
    let stage = Stage::new().await;
    let edit = || {
        let text = std::fs::read_to_string(stage.script()).unwrap();
        std::fs::write(stage.script(), text + "// edited\n").unwrap();
    };
    let unasked = stage.props(&json!({ "n": 1 }));
    let state = stage.good_apply(&unasked, None).await;
    assert!(attribute(&state, "script_digest").is_null());
    edit();
    assert_eq!(stage.good_plan(&unasked, Some(&state)).await.action, Action::NoOp);

    // To begin with it is no reason to call the script.
    let asked = stage.config(&[("props", value(&json!({ "n": 1 }))), ("detect_script_changes", Value::bool(true))]);
    stage.recorded();
    let state = stage.good_apply(&asked, Some(&state)).await;
    assert_eq!(stage.methods(), Vec::<String>::new());
    let before = attribute(&state, "script_digest").clone();
    assert!(before.as_str().unwrap().starts_with("sha256:"));
    assert_eq!(stage.good_plan(&asked, Some(&state)).await.action, Action::NoOp);

    edit();
    // A script that is edited once more before the apply does not break the plan.
    let plan = stage.good_plan(&asked, Some(&state)).await;
    assert_eq!(plan.action, Action::Update);
    assert!(!plan.after.attribute("script_digest").is_some_and(Value::is_known));
    edit();
    stage.recorded();
    let state = stage.good_apply(&asked, Some(&state)).await;
    assert_eq!(stage.methods(), ["modifyPlan", "update"]);
    assert_ne!(attribute(&state, "script_digest"), &before);
    assert_eq!(attribute(&state, "write_only_props_version"), &Value::number(1));
    assert_eq!(stage.good_plan(&asked, Some(&state)).await.action, Action::NoOp);
}
