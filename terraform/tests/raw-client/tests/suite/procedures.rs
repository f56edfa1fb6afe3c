//! F4: every procedure is there and does its work.

use denobridge_raw_client::{Plugin, Script, every_procedure};

use super::support::{PROGRAM, said, script};

/// How many procedures protocol 6.11 has; three of them are called twice.
const CALLS: usize = 36 + 3;

/// F4, F19, F20, F21: streams, actions, list resources and state stores included.
#[tokio::test]
async fn f4_every_procedure_does_its_work() {
    let plugin = Plugin::start(PROGRAM).await;
    let answers = every_procedure(&plugin, &script("x")).await;
    assert_eq!(answers.len(), CALLS, "{:?}", answers.keys());
    for (name, answer) in &answers {
        let answer = answer.as_ref().unwrap_or_else(|status| panic!("{name}: {status}"));
        assert!(!answer.failed, "{name}: {answer:#?}");
    }
    for (name, part) in [
        ("GetProviderSchema", "kinds_store"),
        ("GetResourceIdentitySchemas", "kinds_thing"),
        ("GetMetadata", "kinds_reboot"),
        ("GetFunctions", "shout"),
        ("ImportResourceState", "kinds_thing"),
        ("CallFunction", "X"),
        ("ListResource", "thing 2"),
        ("InvokeAction", "Completed"),
        ("ReadStateBytes", r#"bytes: b"abcd""#),
        ("GetStates", "default"),
        ("LockState", "default for apply"),
    ] {
        assert!(answers[name].as_ref().unwrap().text.contains(part), "{name}: {:?}", answers[name]);
    }
}

/// F4, F53: requests about nothing are answered as well, with diagnostics.
#[tokio::test]
async fn f4_requests_about_nothing_are_answered() {
    let plugin = Plugin::start(PROGRAM).await;
    let answers = every_procedure(&plugin, &Script { provider: serde_json::json!({}), ..Script::default() }).await;
    for (name, answer) in &answers {
        let answer = answer.as_ref().unwrap_or_else(|status| panic!("{name}: {status}"));
        let about_nothing =
            !["Get", "ValidateProvider", "ConfigureProvider", "Stop"].iter().any(|start| name.starts_with(start))
                || *name == "GetStates";
        assert_eq!(answer.failed, about_nothing, "{name}: {answer:#?}");
    }
    let said = said(&answers);
    assert!(said.contains("ReadStateBytes: Invalid request: The request names no state store type."), "{said}");
}
