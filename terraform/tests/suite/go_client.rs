//! A host made of go-plugin and terraform-plugin-go calls every procedure: the tests that share no code with us.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::Value as Json;
use tokio::process::Command;
use tokio::sync::OnceCell;

use super::support::PROGRAM;

/// Longest time for compiling the client, whose modules may have to be downloaded.
const BUILD_LIMIT: std::time::Duration = std::time::Duration::from_secs(600);

/// The client's executable, built once.
async fn client() -> &'static Path {
    static BUILT: OnceCell<PathBuf> = OnceCell::const_new();
    BUILT
        .get_or_init(|| async {
            let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-client");
            let mut build = Command::new("go");
            build
                .args(["build", "-mod=readonly", "-o"])
                .arg(&program)
                .arg(".")
                .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/go-client"))
                .kill_on_drop(true);
            let built = tokio::time::timeout(BUILD_LIMIT, build.output()).await.expect("the build takes too long");
            let built = built.expect("go must be on PATH for these tests");
            assert!(built.status.success(), "go build:\n{}", String::from_utf8_lossy(&built.stderr));
            program
        })
        .await
}

/// Runs the client in a folder of its own, where the provider keeps its note.
async fn answers(protocol: &str) -> Json {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Command::new(client().await);
    run.args(["-protocol", protocol, "-plugin", PROGRAM])
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .kill_on_drop(true);
    let output = super::support::soon("the client", run.output()).await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The procedures whose answers are not the expected ones.
fn differences(actual: &Json, expected: &Json) -> Vec<String> {
    let (actual, expected) = (actual.as_object().unwrap(), expected.as_object().unwrap());
    let names: std::collections::BTreeSet<&String> = actual.keys().chain(expected.keys()).collect();
    names
        .into_iter()
        .filter(|&name| actual.get(name) != expected.get(name))
        .map(|name| format!("{name}: {:?}, expected {:?}", actual.get(name), expected.get(name)))
        .collect()
}

fn expected_of_6() -> Json {
    serde_json::from_str(include_str!("../go-client/answers.json")).unwrap()
}

/// F4 and F60, with the host's own libraries: AutoMTLS, and an answer from every procedure.
#[tokio::test]
async fn f4_every_procedure_of_protocol_6_answers_a_go_host() {
    let differences = differences(&answers("6").await, &expected_of_6());
    assert!(differences.is_empty(), "{differences:#?}");
}

/// Protocol 5 answers the same, but for state stores, the older names, and the configuration that it gives back.
#[tokio::test]
async fn f4_every_procedure_of_protocol_5_answers_a_go_host() {
    let mut expected = expected_of_6();
    let procedures = expected.as_object_mut().unwrap();
    for of_state_stores in [
        "ValidateStateStoreConfig",
        "ConfigureStateStore",
        "WriteStateBytes",
        "ReadStateBytes",
        "GetStates",
        "LockState",
        "UnlockState",
        "DeleteState",
    ] {
        assert!(procedures.remove(of_state_stores).is_some(), "{of_state_stores}");
    }
    for (of_6, of_5) in [
        ("ConfigureProvider", "Configure"),
        ("GetProviderSchema", "GetSchema"),
        ("StopProvider", "Stop"),
        ("ValidateDataResourceConfig", "ValidateDataSourceConfig"),
        ("ValidateProviderConfig", "PrepareProviderConfig"),
        ("ValidateResourceConfig", "ValidateResourceTypeConfig"),
    ] {
        let answer = procedures.remove(of_6).unwrap();
        procedures.insert(of_5.to_owned(), answer);
    }
    procedures["GetMetadata"].as_object_mut().unwrap().remove("state_stores").unwrap();
    procedures["GetSchema"].as_object_mut().unwrap().remove("state_store_schemas").unwrap();
    procedures["PrepareProviderConfig"] =
        serde_json::json!({ "prepared_config": { "endpoint": [{ "url": "http://localhost" }] } });
    let differences = differences(&answers("5").await, &expected);
    assert!(differences.is_empty(), "{differences:#?}");
}
