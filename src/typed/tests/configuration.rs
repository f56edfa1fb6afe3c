//! The provider's configuration.

use denobridge_core::cty::{Type, Value};
use serde_json::{Value as Json, json};

use super::{Stage, value};
use crate::deno::testing::deno;

fn description() -> Json {
    json!({ "kind": "resource", "props": { "properties": { "name": { "type": "string" } } } })
}

fn config() -> Json {
    json!({
        "properties": {
            "endPoint": { "type": "string", "format": "uri" },
            "token": { "type": "string", "x-sensitive": true },
            "retries": { "type": "integer", "default": 3 },
            "version": { "type": "string" },
        },
        "required": ["endPoint", "retries"],
    })
}

#[tokio::test]
async fn scripts_are_told_the_configuration_and_its_secret_part() {
    let folder = tempfile::tempdir().unwrap();
    let mut package = Stage::package(&folder, &Stage::asks(&folder), description());
    package.config = Some(config());
    let given =
        json!({ "end_point": "https://a.example", "token": "t", "infra_version": "2", "permissions": { "all": true } });
    let stage = Stage::unconfigured(folder, &package).await;
    stage.answers(&json!({ "health": { "result": { "ok": true, "configure": true } }, "configure": { "result": {} } }));
    let diagnostics = stage.configure(&given).await;
    assert!(diagnostics.is_empty(), "{diagnostics:#?}");
    stage.good_apply(&json!({ "name": "a" }), None).await;
    let told = r#"configure {"config":{"endPoint":"https://a.example","retries":3,"version":"2"},"sensitiveConfig":{"token":"t"}}"#;
    assert!(stage.calls().iter().any(|call| call == told));
}

#[tokio::test]
async fn what_is_wrong_with_it_is_said_at_its_attribute() {
    let folder = tempfile::tempdir().unwrap();
    let mut package = Stage::package(&folder, &Stage::asks(&folder), description());
    package.config = Some(config());
    let stage = Stage::unconfigured(folder, &package).await;
    let said = stage
        .configure(
            &json!({ "end_point": "nowhere", "deno": { "transport": "pigeon" }, "permissions": { "all": true } }),
        )
        .await;
    let told: Vec<String> = said.iter().map(|said| format!("[{}] {}", said.attribute, said.summary)).collect();
    assert_eq!(told, ["[end_point] Value not allowed", "[deno.transport] Unknown transport"]);
}

#[tokio::test]
async fn what_is_not_granted_is_not_in_force_and_the_user_is_told_how_to_grant_it() {
    let folder = tempfile::tempdir().unwrap();
    let package = Stage::package(&folder, &Stage::asks(&folder), description());
    let stage = Stage::unconfigured(folder, &package).await;
    let read = format!("read={}", stage.folder.path().display());
    let warnings = stage.configure(&json!({ "permissions": { "allow": [read] } })).await;
    insta::assert_snapshot!(stage.text(&warnings), @r#"
    warning at []: Permissions are asked for and not granted
    Scripts of the package infra ask for permissions that its provider's configuration does not grant:
      - bucket.ts: write=FOLDER

    To grant them, set in the configuration of the provider:
      Terraform, in provider "infra": permissions = { allow = ["read=FOLDER", "write=FOLDER"] }
      Pulumi: pulumi config set infra:permissions '{"allow":["read=FOLDER","write=FOLDER"]}'
    "#);
    let (_, said) = stage.plan(&stage.config(&json!({ "name": "a" })), None).await;
    let said = stage.text(&said);
    assert!(said.contains("The package infra asks for it (bucket.ts), and it is not granted."), "{said}");
    assert!(said.starts_with("error at []"), "there is no attribute for it: {said}");
}

#[tokio::test]
async fn a_script_has_nothing_that_its_package_does_not_ask_for() {
    let folder = tempfile::tempdir().unwrap();
    let asks = vec![format!("read={}", folder.path().display())];
    let package = Stage::package(&folder, &asks, description());
    let stage = Stage::unconfigured(folder, &package).await;
    let warnings = stage.configure(&json!({ "permissions": { "all": true, "allow": ["write"] } })).await;
    assert!(warnings.is_empty(), "{warnings:#?}");
    let (_, said) = stage.plan(&stage.config(&json!({ "name": "a" })), None).await;
    let said = stage.text(&said);
    assert!(said.contains("The package infra does not ask for it, so it cannot be granted."), "{said}");
}

#[tokio::test]
async fn while_the_grants_are_not_known_no_script_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let package = Stage::package(&folder, &Stage::asks(&folder), description());
    let stage = Stage::unconfigured(folder, &package).await;
    let allow = Value::unknown(Type::list(Type::String));
    let given = value(&json!({ "deno": { "deno_binary_path": deno() } }))
        .with_attribute("permissions", Value::object([("allow", allow)]));
    let step = stage.host.configure(&given).await;
    assert!(step.report.diagnostics.is_empty(), "{:#?}", step.report.diagnostics);
    stage.good_plan(&stage.config(&json!({ "name": "a" })), None).await;
    assert!(stage.calls().is_empty());
}
