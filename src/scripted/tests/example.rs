//! The example script, taken through the life of a file.

use std::path::Path;

use denobridge_core::cty::Value;
use denobridge_core::planning::Action;
use serde_json::{Value as Json, json};

use super::{Stage, attribute, value};

fn config(stage: &Stage, props: &Json) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/file/file.ts");
    let permissions = value(&json!({ "allow": ["read", "write"] }));
    let path = Value::string(script.to_str().unwrap());
    stage.config(&[("path", path), ("permissions", permissions), ("props", value(props))])
}

#[tokio::test]
async fn a_file_lives() {
    let stage = Stage::new().await;
    let file = stage.folder.path().join("a.txt");
    let other = stage.folder.path().join("b.txt");
    let first = config(&stage, &json!({ "path": file, "content": "hello\n", "mode": "0640" }));
    let state = stage.good_apply(&first, None).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "hello\n");
    let digest = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
    assert_eq!(attribute(&state, "state"), &value(&json!({ "digest": digest, "size": 6 })));

    let (state, _) = stage.refresh(&state).await;
    assert_eq!(stage.good_plan(&first, state.as_ref()).await.action, Action::NoOp);

    std::fs::write(&file, "by hand").unwrap();
    let (state, _) = stage.refresh(&state.unwrap()).await;
    assert_eq!(stage.good_plan(&first, state.as_ref()).await.action, Action::Update);
    let state = stage.good_apply(&first, state.as_ref()).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "hello\n");

    let moved = config(&stage, &json!({ "path": other, "content": "hello\n" }));
    assert_eq!(stage.good_plan(&moved, Some(&state)).await.action, Action::Replace);
    let state = stage.good_apply(&moved, Some(&state)).await;
    assert!(!file.exists() && other.exists());

    std::fs::remove_file(&other).unwrap();
    assert!(stage.refresh(&state).await.0.is_none());
    let (left, diagnostics) = stage.destroy(&state).await;
    assert!(left.is_none() && diagnostics.is_empty());
}

#[tokio::test]
async fn a_file_that_is_there_is_not_taken_over_and_a_wrong_mode_is_said_while_planning() {
    let stage = Stage::new().await;
    let file = stage.folder.path().join("a.txt");
    std::fs::write(&file, "mine").unwrap();
    let (state, diagnostics) = stage.apply(&config(&stage, &json!({ "path": file, "content": "" })), None).await;
    assert!(state.is_none() && diagnostics.has_errors());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    let (_, diagnostics) =
        stage.plan(&config(&stage, &json!({ "path": file, "content": "", "mode": "rw" })), None).await;
    assert_eq!(
        stage.text(&diagnostics),
        "error at [props[\"mode\"]]: Invalid mode\nA mode is octal text such as \"0644\", not \"rw\"."
    );
}
