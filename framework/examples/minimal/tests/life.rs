//! The smallest example provider, through its whole life in the embedded host, which holds every answer to Terraform core's
//! rules.
#![allow(clippy::unwrap_used)]

#[allow(dead_code)] // an example has a main function
#[path = "../src/main.rs"]
mod minimal;

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::planning::Action;
use denobridge_framework::host::{Converged, Host, HostOptions, ResourceState, Step};

fn directory(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("denobridge-minimal-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

async fn host(directory: &std::path::Path) -> Host {
    let provider = Arc::new(minimal::provider(directory.to_owned()).unwrap());
    Host::start(provider, HostOptions::default()).await.unwrap()
}

fn note(title: &str, text: Option<&str>) -> Value {
    let text = text.map(|text| ("text", Value::string(text)));
    Value::object([("title", Value::string(title))].into_iter().chain(text))
}

/// What was done and what is there now.
fn changed(step: Step<Option<Converged>>) -> (Action, ResourceState) {
    let Converged { action, state } = step.expect_some();
    (action, state)
}

#[tokio::test]
async fn a_note_lives_and_dies() {
    let directory = directory("life");
    let host = host(&directory).await;
    let note_host = host.resource("minimal_note", "one").unwrap();

    let (action, state) = changed(note_host.converge(&note("first", None), None).await);
    assert_eq!(action, Action::Create);
    assert_eq!(state.value.attribute("text"), Some(&Value::string("")), "the default");
    assert_eq!(fs::read_to_string(directory.join("first")).unwrap(), "");

    let (action, state) = changed(note_host.converge(&note("first", Some("hello")), Some(&state)).await);
    assert_eq!(action, Action::Update);
    assert_eq!(fs::read_to_string(directory.join("first")).unwrap(), "hello");
    let (action, state) = changed(note_host.converge(&note("first", Some("hello")), Some(&state)).await);
    assert_eq!(action, Action::NoOp);

    // Out of the configuration again: back to the default.
    let (action, state) = changed(note_host.converge(&note("first", None), Some(&state)).await);
    assert_eq!((action, state.value.attribute("text")), (Action::Update, Some(&Value::string(""))));

    let (action, state) = changed(note_host.converge(&note("second", Some("hello")), Some(&state)).await);
    assert_eq!(action, Action::Replace);
    assert!(!directory.join("first").exists());

    fs::write(directory.join("second"), "drifted").unwrap();
    let drifted = note_host.refresh(&state).await.expect_some();
    assert_eq!(drifted.value.attribute("text"), Some(&Value::string("drifted")));
    let imported = note_host.import("second").await.expect_some();
    assert_eq!(imported.value, drifted.value);

    note_host.destroy(&drifted).await.expect_none();
    note_host.refresh(&drifted).await.expect_none();
    fs::remove_dir_all(directory).unwrap();
}

#[tokio::test]
async fn what_fails_says_where_and_why() {
    let directory = directory("failures");
    let host = host(&directory).await;
    let note_host = host.resource("minimal_note", "one").unwrap();
    let config = note_host.config(&note("not plain", None)).unwrap();
    let report = note_host.validate(&config).await.report;
    let refusal = report.diagnostics.errors().next().unwrap();
    assert_eq!(refusal.attribute.to_string(), "title");
    assert_eq!(refusal.detail, "\"title\" must have only letters and digits.");

    let config = note_host.config(&note("first", None)).unwrap();
    let plan = note_host.plan(&config, None).await.expect_some();
    // The provider makes its directory anew, unless a file is in its place.
    fs::remove_dir_all(&directory).unwrap();
    fs::write(&directory, "").unwrap();
    let report = note_host.apply(&plan, &config).await.report;
    let failure = report.diagnostics.errors().next().unwrap();
    assert_eq!(failure.summary, "The creation of minimal_note failed");
    assert!(failure.detail.contains("os error"), "{}", failure.detail);
    fs::remove_file(directory).unwrap();
}

/// F1: the whole provider can be read in one sitting, and nothing of the wire is in it.
#[test]
fn f1_the_example_is_small_and_has_no_wire_types() {
    let text = include_str!("../src/main.rs");
    assert!(text.lines().count() <= 60, "{} lines", text.lines().count());
    for wire in ["prost", "tonic", "proto", "tfplugin", "pulumirpc"] {
        assert!(!text.contains(wire), "{wire}");
    }
}
