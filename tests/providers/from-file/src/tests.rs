use std::path::PathBuf;
use std::sync::Arc;

use denobridge_core::cty::{Type, Value, json};
use denobridge_core::provider::*;
use denobridge_core::{Call, DynamicValue, Provider};
use serde_json::{Value as Json, json};

use crate::cloud::Cloud;
use crate::{parse, provider};

/// The project's folder.
fn project() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn built(text: &str, cloud: Cloud) -> anyhow::Result<impl Provider + use<>> {
    provider("x", parse(text)?, Arc::new(cloud))
}

#[test]
fn the_example_of_the_documentation_is_a_provider() {
    let page = std::fs::read_to_string(project().join("tests/providers/README.md")).unwrap();
    let (_, rest) = page.split_once("```json\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    built(example, Cloud::default()).unwrap();
}

#[test]
fn every_file_of_the_reports_is_a_provider() {
    let mut seen = 0;
    for folder in std::fs::read_dir(project().join("tests/reports")).unwrap().flatten() {
        let Ok(files) = std::fs::read_dir(folder.path()) else { continue };
        for file in files.flatten().map(|file| file.path()) {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            if !name.starts_with("provider") || !name.ends_with(".json") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            if let Err(error) = built(&text, Cloud::default()) {
                panic!("{}: {error:#}", file.display());
            }
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn what_does_not_belong_there_is_told_with_its_place() {
    let problem = |text: &str| format!("{:#}", built(text, Cloud::default()).err().unwrap());
    let wrong = "{\n  \"resources\": {\"x_a\": {\"schema\": {\"attributes\": {\"a\": {\"typ\": \"string\"}}}}}\n}";
    assert!(problem(wrong).starts_with("unknown field `typ`, expected one of `type`, "), "{}", problem(wrong));
    assert!(problem(wrong).contains("at line 2 column 61"), "{}", problem(wrong));
    let wrong = r#"{"resources": {"x_a": {"schema": {"attributes": {"a": {"type": "strin"}}}}}}"#;
    assert_eq!(problem(wrong), "x_a: attribute a: \"strin\" is no type: not a type: no type is named \"strin\"");
    let wrong = r#"{"resources": {"x_a": {"schema": {"attributes": {"a": {"type": "string", "value": "null"}}}}}}"#;
    assert_eq!(problem(wrong), "x_a: attribute a: it has a `value`, so it must be `computed`");
}

/// A host of one resource, `x_a`.
struct Host<P> {
    provider: P,
    ty: Type,
}

impl<P: Provider> Host<P> {
    async fn of(provider: P) -> Self {
        let answer = provider.get_provider_schema(&Call::new(), Default::default()).await.unwrap();
        Self { ty: answer.schema.resources["x_a"].implied_type(), provider }
    }

    fn value(&self, json: &Json) -> DynamicValue {
        json::from_json(json, &self.ty).unwrap().into()
    }

    async fn plan(&self, prior: &Json, config: &Json, proposed: &Json) -> PlanResourceChangeResponse {
        let request = PlanResourceChangeRequest {
            type_name: "x_a".into(),
            prior_state: self.value(prior),
            proposed_new_state: self.value(proposed),
            config: self.value(config),
            ..Default::default()
        };
        self.provider.plan_resource_change(&Call::new(), request).await.unwrap()
    }

    async fn apply(&self, prior: &Json, config: &Json, planned: DynamicValue) -> ApplyResourceChangeResponse {
        let request = ApplyResourceChangeRequest {
            type_name: "x_a".into(),
            prior_state: self.value(prior),
            planned_state: planned,
            config: self.value(config),
            ..Default::default()
        };
        self.provider.apply_resource_change(&Call::new(), request).await.unwrap()
    }

    fn json(&self, value: &DynamicValue) -> Json {
        json::to_json(&value.decode(&self.ty).unwrap(), &self.ty).unwrap()
    }
}

const OBJECT: &str = r#"{"resources": {"x_a": {"schema": {"attributes": {
    "id": {"type": "string", "computed": true, "keep": true, "value": {"text": "a-{name}"}},
    "name": {"type": "string", "required": true, "replace": true},
    "known": {"type": "string", "computed": true, "planned": true, "value": {"copy": "name"}},
    "calls": {"type": "number", "computed": true, "value": {"counter": "{name}"}}},
    "blocks": {"disk": {"nesting": "set", "schema": {"attributes": {
        "a": {"type": "string"}, "made": {"type": "string", "computed": true, "value": {"text": "{a}/{name}"}}}}}}},
    "read": [{"when": {"file": "drift"}, "set": {"calls": {"constant": 40}}}],
    "create": [{"when": {"attributes": {"name": "half"}},
                "diagnostics": [{"severity": "error", "summary": "Half", "path": [{"attribute": "name"}]}]}]}}}"#;

#[tokio::test]
async fn an_object_lives_in_the_cloud() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::of(built(OBJECT, Cloud::new(Some(folder.path().into()))).unwrap()).await;
    let config = json!({"name": "n", "disk": [{"a": "1"}]});
    let planned = host.plan(&Json::Null, &config, &config).await.planned_state;
    let plan = planned.decode(&host.ty).unwrap();
    assert_eq!(plan.attribute("known"), Some(&Value::string("n")));
    assert!(!plan.attribute("id").unwrap().is_known());
    let made = host.apply(&Json::Null, &config, planned.clone()).await;
    let state = json!({"calls": 1, "disk": [{"a": "1", "made": "1/n"}], "id": "a-n", "known": "n", "name": "n"});
    assert_eq!(host.json(&made.new_state), state);
    // What is unique cannot be made twice.
    let again = host.apply(&Json::Null, &config, planned).await;
    assert_eq!(again.diagnostics.errors().next().unwrap().summary, "The object exists already");

    std::fs::write(folder.path().join("drift"), "").unwrap();
    let read = |state: DynamicValue| async {
        let request = ReadResourceRequest { type_name: "x_a".into(), current_state: state, ..Default::default() };
        host.provider.read_resource(&Call::new(), request).await.unwrap().new_state
    };
    assert_eq!(host.json(&read(made.new_state.clone()).await)["calls"], 40);
    let import = ImportResourceStateRequest { type_name: "x_a".into(), id: "a-n".into(), ..Default::default() };
    let imported = host.provider.import_resource_state(&Call::new(), import).await.unwrap();
    assert_eq!(host.json(&imported.imported_resources[0].state), state);

    let gone = host.apply(&state, &Json::Null, DynamicValue::Absent).await;
    assert!(gone.new_state.is_null() && gone.diagnostics.is_empty());
    assert!(read(made.new_state).await.is_null());
}

#[tokio::test]
async fn a_creation_can_fail_and_leave_an_object() {
    let host = Host::of(built(OBJECT, Cloud::default()).unwrap()).await;
    let config = json!({"name": "half", "disk": []});
    let planned = host.plan(&Json::Null, &config, &config).await.planned_state;
    let made = host.apply(&Json::Null, &config, planned).await;
    let error = made.diagnostics.errors().next().unwrap();
    assert_eq!((error.summary.as_str(), error.attribute.to_string()), ("Half", "name".to_owned()));
    assert_eq!(host.json(&made.new_state)["id"], "a-half");
}

#[tokio::test]
async fn an_upgrade_takes_only_what_was_written() {
    let text = r#"{"resources": {"x_a": {"version": 1, "schema": {"attributes": {"new": {"type": "string"}}},
        "upgrades": {"0": {"expect": {"old": "v"}, "rename": {"old": "new"}}}}}}"#;
    let host = Host::of(built(text, Cloud::default()).unwrap()).await;
    let upgrade = |stored: &'static [u8]| {
        let raw_state = RawState { json: stored.into(), ..Default::default() };
        let request = UpgradeResourceStateRequest { type_name: "x_a".into(), version: 0, raw_state };
        let provider = &host.provider;
        async move { provider.upgrade_resource_state(&Call::new(), request).await.unwrap() }
    };
    let upgraded = upgrade(br#"{"old":"v"}"#).await;
    assert_eq!(host.json(&upgraded.upgraded_state), json!({"new": "v"}));
    let refused = upgrade(br#"{"old":"w"}"#).await;
    let error = refused.diagnostics.errors().next().unwrap();
    assert_eq!(error.detail, "Version 0 wrote {\"old\":\"v\"}, but {\"old\":\"w\"} was sent.");
}
