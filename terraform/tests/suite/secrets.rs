//! Values stay out of everything that people read.

use denobridge_core::cty::{Type, Value};
use denobridge_terraform::proto::tfplugin6 as pb;

use super::support::{PROGRAM, Plugin, note, wire};

const CANARY: &str = "c4nary-s3cret";

/// A value of no component's type.
fn misfit() -> Option<pb::DynamicValue> {
    wire(&Value::string(CANARY))
}

/// F61: a secret is found in no diagnostic and no output, whichever way a procedure goes wrong.
#[tokio::test]
async fn f61_values_are_in_no_message_and_no_log() {
    let plugin = Plugin::start_with(PROGRAM, &[("TF_LOG", "TRACE")]).await;
    let mut provider = plugin.provider().await;
    let note_type = || "tiny_note".to_owned();
    let mut said: Vec<Vec<pb::Diagnostic>> = Vec::new();
    macro_rules! call {
        ($procedure:ident { $($field:ident: $value:expr),* }) => {
            let request = pb::$procedure::Request { $($field: $value,)* ..Default::default() };
            said.push(provider.$procedure(request).await.unwrap().into_inner().diagnostics);
        };
    }
    call!(plan_resource_change { type_name: note_type(), proposed_new_state: misfit(), config: misfit() });
    call!(apply_resource_change { type_name: note_type(), planned_state: misfit(), config: misfit() });
    call!(read_resource { type_name: note_type(), current_state: misfit(), private: CANARY.into() });
    let stored = pb::RawState { json: format!("{CANARY:?}").into(), ..Default::default() };
    call!(upgrade_resource_state { type_name: note_type(), raw_state: Some(stored) });
    call!(read_data_source { type_name: "tiny_length".to_owned(), config: misfit() });
    call!(open_ephemeral_resource { type_name: "tiny_token".to_owned(), config: misfit() });
    // A value that is right, in a change that is not: the folder does not exist.
    let nowhere = wire(&note("nowhere/note.txt", CANARY));
    call!(apply_resource_change { type_name: note_type(), planned_state: nowhere });
    assert!(said.iter().all(|said| !said.is_empty()), "{said:#?}");

    let list = Value::list(Type::String, [Value::string(CANARY)]);
    let function =
        pb::call_function::Request { name: "shout".to_owned(), arguments: wire(&list).into_iter().collect() };
    let failed = provider.call_function(function).await.unwrap().into_inner().error.unwrap();
    let (stdout, stderr) = plugin.output_to_end().await;
    for text in [format!("{said:?}"), failed.text, stdout, stderr] {
        assert!(!text.contains(CANARY), "{text}");
    }
}
