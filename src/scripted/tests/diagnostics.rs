//! Where diagnostics point, and what failures say.

use serde_json::{Value as Json, json};

use super::{Stage, value};

async fn placed(path: Json) -> String {
    let stage = Stage::new().await;
    let diagnostic = json!({ "severity": "warning", "summary": "s", "detail": "d", "propPath": path });
    stage.answers(&json!({ "modifyPlan": { "result": { "diagnostics": [diagnostic] } } }));
    let config = stage.props(&json!({ "rules": [{ "port": 1 }], "1": true, "v": 1 }));
    let (_, diagnostics) = stage.plan(&config, None).await;
    stage.text(&diagnostics)
}

#[tokio::test]
async fn places_are_those_of_the_configuration() {
    for (path, place) in [
        (json!([]), "warning at []: s\nd"),
        (json!(null), "warning at []: s\nd"),
        (json!(["props"]), "warning at [props]: s\nd"),
        (json!(["nextProps", "v"]), "warning at [props[\"v\"]]: s\nd"),
        (json!(["currentProps", "v"]), "warning at [props[\"v\"]]: s\nd"),
        (json!(["v"]), "warning at [props[\"v\"]]: s\nd"),
        (json!(["props", "1"]), "warning at [props[\"1\"]]: s\nd"),
        (json!(["permissions", "all"]), "warning at [permissions[\"all\"]]: s\nd"),
        (json!(["nonsense"]), "warning at []: s\nd"),
        (
            json!(["props", "rules", "0", "port"]),
            "warning at [props[\"rules\"]]: s\nd\n\nThe property is props.rules[0].port.",
        ),
        (json!(["props", "rules", 0]), "warning at [props[\"rules\"]]: s\nd\n\nThe property is props.rules[0]."),
    ] {
        assert_eq!(placed(path.clone()).await, place, "{path}");
    }
}

#[tokio::test]
async fn other_severities_are_no_diagnostics() {
    let stage = Stage::new().await;
    let diagnostics =
        json!([{ "severity": "info", "summary": "s", "detail": "d" }, { "severity": "ERROR", "summary": "e" }]);
    stage.answers(&json!({ "modifyPlan": { "result": { "diagnostics": diagnostics } } }));
    let (_, diagnostics) = stage.plan(&stage.props(&json!({})), None).await;
    assert_eq!(stage.text(&diagnostics), "error at []: e\n");
}

#[tokio::test]
async fn secrets_are_masked_in_what_scripts_say() {
    let stage = Stage::new().await;
    let says = json!([{ "severity": "error", "summary": "bad canary-1", "detail": "password canary-1 refused" }]);
    stage.answers(&json!({ "create": { "result": { "diagnostics": says } } }));
    let config = stage.config(&[("write_only_props", value(&json!({ "password": "canary-1" })))]);
    let (_, diagnostics) = stage.apply(&config, None).await;
    let text = stage.text(&diagnostics);
    assert_eq!(text, "error at []: bad (sensitive)\npassword (sensitive) refused");
}

#[tokio::test]
async fn a_missing_script_is_pointed_at() {
    let stage = Stage::new().await;
    std::fs::remove_file(stage.script()).unwrap();
    let (_, diagnostics) = stage.plan(&stage.props(&json!({})), None).await;
    insta::assert_snapshot!(stage.text(&diagnostics), @r#"
    error at [path]: Failed to modify the plan
    Script FOLDER/played.ts does not exist.

    There is no file FOLDER/played.ts.

    Check `path`: a relative one starts from the working directory.
    "#);
}

#[tokio::test]
async fn a_missing_permission_is_named() {
    let stage = Stage::new().await;
    let config = stage.config(&[("permissions", value(&json!({ "deny": ["write"] })))]);
    let (_, diagnostics) = stage.plan(&config, None).await;
    let text = stage.text(&diagnostics);
    assert!(text.starts_with("error at [permissions]: Failed to modify the plan\n"), "{text}");
    assert!(text.contains("permissions.allow"), "{text}");
}

#[tokio::test]
async fn an_answer_that_is_no_json_is_quoted() {
    let stage = Stage::new().await;
    stage.answers(&json!({ "modifyPlan": { "raw": "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{oops}}" } }));
    let (_, diagnostics) = stage.plan(&stage.props(&json!({})), None).await;
    insta::assert_snapshot!(stage.text(&diagnostics), @r#"
    error at []: Failed to modify the plan
    Script FOLDER/played.ts gave an answer that is not JSON.

    The answer to "modifyPlan" stops being JSON on this line (key must be a string):
      {"jsonrpc":"2.0","id":1,"result":{oops}}

    Write nothing but JSON-RPC messages to standard output; use console.error for everything else.
    "#);
}
