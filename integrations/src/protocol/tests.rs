use std::fmt::Debug;
use std::path::Path;

use jsonschema::Validator;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use super::*;
use crate::Hook;

/// What messages are held against: one definition of the schema.
fn validator(definition: &str) -> Validator {
    let mut schema = schema();
    let members = schema.as_object_mut().unwrap();
    members.remove("anyOf");
    members.insert("$ref".to_owned(), json!(format!("#/$defs/{definition}")));
    jsonschema::validator_for(&schema).unwrap()
}

fn complaints(definition: &str, message: &Json) -> Vec<String> {
    validator(definition).iter_errors(message).map(|error| error.to_string()).collect()
}

fn request(method: &str, params: Json) -> Json {
    json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params })
}

#[test]
fn m45_the_schema_in_docs_is_up_to_date() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/integrations/protocol.schema.json");
    let text = format!("{:#}\n", schema());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(committed == text, "{} is not what the types say: set UPDATE_EXPECT=1", file.display());
}

#[test]
fn m21_an_event_of_every_hook_fits_the_schema() {
    let samples = samples();
    assert_eq!(samples.iter().map(|(hook, _)| *hook).collect::<Vec<_>>(), Hook::ALL);
    for (hook, event) in samples {
        let method = hook.method();
        assert_eq!(complaints(&format!("{method}.params"), &event.params()), [""; 0], "{method}");
        assert_eq!(complaints("to_integration", &request(method, event.params())), [""; 0], "{method}");
    }
}

#[test]
fn m21_an_event_without_what_it_must_have_does_not_fit_the_schema() {
    for (hook, event) in samples() {
        let method = hook.method();
        let schema = schema();
        let required = schema.pointer(&format!("/$defs/{method}.params/required")).unwrap().as_array().unwrap();
        for member in required {
            let mut params = event.params();
            params.as_object_mut().unwrap().remove(member.as_str().unwrap()).unwrap();
            assert_ne!(complaints(&format!("{method}.params"), &params), [""; 0], "{method} without {member}");
        }
    }
    let other = samples().remove(0).1.params();
    assert_ne!(complaints("to_integration", &request("pre_plan_resource", other)), [""; 0], "of another hook");
}

#[test]
fn m21_the_message_of_a_plan_is_what_the_documents_show() {
    let (_, event) = samples().into_iter().find(|(hook, _)| *hook == Hook::PostPlan).unwrap();
    insta::assert_snapshot!(format!("{:#}", event.params()));
}

/// Read again, a message is what it was.
fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(message: &T, definition: &str) {
    let sent = serde_json::to_value(message).unwrap();
    assert_eq!(serde_json::from_value::<T>(sent.clone()).unwrap(), *message);
    assert_eq!(complaints(definition, &sent), [""; 0], "{definition}");
    let mut grown = sent;
    grown.as_object_mut().unwrap().insert("of_a_later_version".to_owned(), json!([1]));
    assert_eq!(serde_json::from_value::<T>(grown.clone()).unwrap(), *message, "a member that is not known");
    assert_eq!(complaints(definition, &grown), [""; 0], "{definition}");
}

#[test]
fn m08_what_is_said_at_the_start_and_the_end_comes_back() {
    let Some((_, Event::Stage(StageEvent { run, .. }))) = samples().into_iter().next() else { panic!() };
    let host = Host { name: "tofu".into(), version: Some("1.9.0".into()), kind: HostKind::Terraform };
    let settings = json!({ "most": 3 }).as_object().unwrap().clone();
    let (core_version, protocol_version) = ("0.1.0".into(), PROTOCOL_VERSION);
    let available_hooks = Hook::ALL.to_vec();
    comes_back(
        &Initialize { core_version, protocol_version, available_hooks, host, run, settings },
        "initialize.params",
    );
    let filter = Some(Filter { types: Some(vec!["a".into()]), actions: Some(vec![Action::Create, Action::NoOp]) });
    let subscribed_hooks = vec!["post-plan".into(), "post_apply_resource".into()];
    comes_back(&Initialized { name: "a".into(), version: "1".into(), subscribed_hooks, filter }, "initialize.result");
    comes_back(&Shutdown { reason: ShutdownReason::Interrupted }, "shutdown.params");
    comes_back(&LogMessage { level: "info".into(), message: "m".into() }, "log.params");
}

#[test]
fn m23_results_come_back_in_every_form() {
    let metadata = json!({ "monthly": 3.5 }).as_object().cloned();
    for status in [Status::Pass, Status::Warn, Status::Fail] {
        for message in [None, Some("one".to_owned())] {
            for messages in [None, Some(vec!["two".to_owned()])] {
                for action in [None, Some(RequestedAction::Halt)] {
                    let (message, messages) = (message.clone(), messages.clone());
                    let result = HookResult { status, message, messages, metadata: metadata.clone(), action };
                    comes_back(&result, "hook.result");
                }
            }
        }
    }
    let least: HookResult = serde_json::from_value(json!({ "status": "pass" })).unwrap();
    assert_eq!((least.message, least.messages, least.metadata, least.action), (None, None, None, None));
    for wrong in [json!({}), json!({ "status": "ok" }), json!({ "status": "fail", "action": "stop" })] {
        assert!(serde_json::from_value::<HookResult>(wrong.clone()).is_err(), "{wrong}");
        assert_ne!(complaints("hook.result", &wrong), [""; 0], "{wrong}");
    }
}

#[test]
fn m21_answers_and_notifications_fit_the_schema() {
    for message in [
        json!({ "jsonrpc": "2.0", "id": 1, "result": { "status": "warn", "messages": ["m"] } }),
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -32601, "message": "Method not found" } }),
        json!({ "jsonrpc": "2.0", "method": "log", "params": { "level": "info", "message": "m" } }),
    ] {
        assert_eq!(complaints("to_host", &message), [""; 0], "{message}");
    }
    let cancel = json!({ "jsonrpc": "2.0", "method": "cancel", "params": { "id": 4 } });
    assert_eq!(complaints("to_integration", &cancel), [""; 0]);
    let unknown = json!({ "jsonrpc": "2.0", "method": "destroy", "params": {}, "id": 1 });
    assert_ne!(complaints("to_integration", &unknown), [""; 0]);
}
