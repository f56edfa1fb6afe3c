//! A host made of go-plugin and terraform-plugin-go calls every procedure: the tests that share no code with us.

use std::path::Path;

use denobridge_raw_client::go_host::{self, differences};
use serde_json::Value as Json;

use super::support::PROGRAM;

/// Runs the host in a folder of its own, where the provider keeps its note.
async fn answers(protocol: &str) -> Json {
    let folder = tempfile::tempdir().unwrap();
    let build = Path::new(env!("CARGO_TARGET_TMPDIR")).join("go-host-of-tiny");
    let arguments = ["-plugin", PROGRAM, "-provider", "tiny", "-protocol", protocol];
    let answers = go_host::answers(&build, &arguments, folder.path()).await;
    assert_eq!(std::fs::read_to_string(folder.path().join("a.txt")).unwrap(), "one");
    answers
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
