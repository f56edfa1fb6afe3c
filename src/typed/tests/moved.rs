//! From the generic resource to a typed one, without a change of anything.

use denobridge_core::planning::Action;
use denobridge_framework::host::{Host, HostOptions, MovedFrom, StoredState};
use serde_json::{Value as Json, json};

use super::{Stage, json_of, value};
use crate::children::{Watcher, WatcherProgram};
use crate::deno::testing::deno;
use crate::scripted::{self, Runtime, ScriptedOptions};

fn description() -> Json {
    json!({
        "kind": "resource",
        "props": { "properties": { "bucketName": { "type": "string" }, "maxSize": { "type": "integer" }, "region": { "type": "string" } }, "required": ["bucketName"] },
        "writeOnlyProps": { "properties": { "masterPassword": { "type": "string" } } },
        "state": { "properties": { "made": { "type": "boolean" }, "region": { "type": "string" } } },
    })
}

/// An object of the generic resource with the same script.
async fn generic(stage: &Stage, props: Json) -> MovedFrom {
    let runtime = Runtime::with_watcher(Watcher::new(WatcherProgram::None));
    let provider = scripted::provider(ScriptedOptions { runtime, deno: Some(deno()) }).unwrap();
    let host = Host::start(provider, HostOptions::default()).await.unwrap();
    host.configure(&value(&json!({ "deno_binary_path": deno() }))).await.expect_ok();
    let resource = host.resource(scripted::RESOURCE, "r").unwrap();
    let permissions = json!({ "allow": Stage::asks(&stage.folder) });
    let written = json!({
        "path": stage.script(), "permissions": permissions, "props": props,
        "write_only_props": { "masterPassword": "one-1" },
    });
    let config = resource.config(&value(&written)).unwrap();
    let plan = resource.plan(&config, None).await.expect_some();
    let state = resource.apply(&plan, &config).await.expect_some();
    let stored: StoredState =
        serde_json::from_value(serde_json::to_value(resource.store(&state).unwrap()).unwrap()).unwrap();
    MovedFrom {
        provider_address: "registry.example.com/somebody/denobridge".to_owned(),
        type_name: scripted::RESOURCE.to_owned(),
        schema_version: 0,
        attributes: stored.attributes,
        private: state.private,
        identity: None,
        identity_schema_version: 0,
    }
}

#[tokio::test]
async fn an_object_keeps_everything_it_has() {
    let stage = Stage::new(description()).await;
    let made = json!({ "result": { "id": "b-1", "state": { "made": true, "region": "eu" } } });
    stage.answers(&json!({ "create": made }));
    let source = generic(&stage, json!({ "bucketName": "a", "maxSize": 3 })).await;
    stage.calls();
    let state = stage.resource().move_from(&source).await.expect_some();
    assert_eq!(
        json_of(&state),
        json!({ "bucket_name": "a", "id": "b-1", "made": true, "max_size": 3, "region": "eu", "write_only_props_version": 1 })
    );
    let given = json!({ "bucket_name": "a", "max_size": 3, "master_password": "one-1" });
    assert_eq!(stage.good_plan(&stage.config(&given), Some(&state)).await.action, Action::NoOp);
    let other = json!({ "bucket_name": "a", "max_size": 3, "master_password": "two-2" });
    assert_eq!(stage.good_plan(&stage.config(&other), Some(&state)).await.action, Action::Update);
    stage.calls();
    stage.refresh(&state).await;
    assert!(stage.calls()[0].contains(r#""props":{"bucketName":"a","maxSize":3}"#), "the region is the script's");
}

#[tokio::test]
async fn what_does_not_fit_is_refused_by_name() {
    let stage = Stage::new(description()).await;
    stage.answers(&json!({ "create": { "result": { "id": "b-1", "state": { "made": "yes" } } } }));
    let source = generic(&stage, json!({ "maxSize": "big", "colour": "red" })).await;
    let said = stage.resource().move_from(&source).await.report.diagnostics;
    insta::assert_snapshot!(stage.text(&said), @r"
    error at []: The resource cannot be moved
    An object of denobridge_resource cannot become one of the script bucket.ts. What is stored does not fit the attributes of the new type:
      - `props.colour` has no attribute.
      - `props.bucketName` is required, and it is not there.
      - `props.maxSize` must be a whole number, not a string.
      - `state.made` must be a boolean, not a string.

    Apply once with the generic resource and props that fit, then move it.
    ");
}

#[tokio::test]
async fn a_state_of_an_older_version_keeps_what_still_fits() {
    let mut newer = description();
    newer["stateVersion"] = json!(2);
    let stage = Stage::new(newer).await;
    let stored = StoredState {
        type_name: "infra_bucket".to_owned(),
        schema_version: 1,
        attributes: json!({ "id": "b-1", "bucket_name": "a", "max_size": "big", "gone": true }),
        private: String::new(),
        identity: None,
        identity_schema_version: 0,
        tainted: false,
    };
    let state = stage.resource().load(&stored).await.expect_some();
    assert_eq!(json_of(&state), json!({ "bucket_name": "a", "id": "b-1" }));
}
