//! F51, F53, F58: whatever a component does, in whichever procedure, there is an answer, and no secret in it.

use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::provider::*;
use denobridge_core::{Call, Diagnostics, DynamicValue, Provider};
use futures::StreamExt;

use super::fixtures::*;

/// What `word` makes of every procedure that a component has a part in. `type_names` are of: resources, data sources,
/// ephemeral resources, actions, list resources, state stores, functions.
async fn everywhere(provider: &impl Provider, word: &str, known: bool) -> Vec<(&'static str, Diagnostics)> {
    let call = &Call::new();
    let name = |name: &str| if known { name.into() } else { "test_other".into() };
    let value = || DynamicValue::from(config(word));
    let object = || DynamicValue::from(object(word, Value::string("1")));
    let null = || DynamicValue::from(Value::null(schema().implied_type()));
    let private = |word: &str| {
        let mut private = crate::PrivateData::default();
        private.set("word", &word).unwrap();
        private.encode()
    };
    let raw = |json: String| RawState { json: Bytes::from(json), ..RawState::default() };
    let text = || word.to_owned();
    let mut said = Vec::new();
    macro_rules! ask {
        ($($method:ident($request:ident { $($field:ident: $value:expr),* });)*) => {$(
            #[allow(clippy::needless_update)]
            let request = $request { $($field: $value,)* ..Default::default() };
            said.push((stringify!($method), provider.$method(call, request).await.unwrap().diagnostics));
        )*};
    }
    ask! {
        read_resource(ReadResourceRequest { type_name: name("test_object"), current_state: object() });
        plan_resource_change(PlanResourceChangeRequest {
            type_name: name("test_object"), prior_state: null(), proposed_new_state: value(), config: value()
        });
        apply_resource_change(ApplyResourceChangeRequest {
            type_name: name("test_object"), prior_state: null(), planned_state: value(), config: value()
        });
        apply_resource_change(ApplyResourceChangeRequest {
            type_name: name("test_object"), prior_state: object(), planned_state: value(), config: value()
        });
        apply_resource_change(ApplyResourceChangeRequest {
            type_name: name("test_object"), prior_state: object(), planned_state: null(), config: null()
        });
        import_resource_state(ImportResourceStateRequest { type_name: name("test_object"), id: text() });
        read_data_source(ReadDataSourceRequest { type_name: name("test_lookup"), config: value() });
        open_ephemeral_resource(OpenEphemeralResourceRequest { type_name: name("test_token"), config: value() });
        renew_ephemeral_resource(RenewEphemeralResourceRequest { type_name: name("test_token"), private: private(word) });
        close_ephemeral_resource(CloseEphemeralResourceRequest { type_name: name("test_token"), private: private(word) });
        plan_action(PlanActionRequest { type_name: name("test_reboot"), config: value() });
        configure_state_store(ConfigureStateStoreRequest { type_name: name("test_store"), config: value() });
        configure_state_store(ConfigureStateStoreRequest {
            type_name: name("test_store"), config: config(&format!("later {word}")).into()
        });
        lock_state(LockStateRequest { type_name: name("test_store"), state_id: text() });
        unlock_state(UnlockStateRequest { type_name: name("test_store"), state_id: text(), lock_id: text() });
        get_states(GetStatesRequest { type_name: name("test_store") });
        delete_state(DeleteStateRequest { type_name: name("test_store"), state_id: text() });
    }
    // The store that is told to obey later says nothing itself.
    if known {
        said.remove(12);
    }
    if word == "panic" || !known {
        ask! {
            upgrade_resource_state(UpgradeResourceStateRequest {
                type_name: name("test_object"), version: 0, raw_state: raw(format!(r#"{{"was":"{word}"}}"#))
            });
            upgrade_resource_identity(UpgradeResourceIdentityRequest {
                type_name: name("test_object"), version: 0, raw_identity: raw(format!(r#"{{"name":"{word}"}}"#))
            });
            move_resource_state(MoveResourceStateRequest {
                target_type_name: name("test_object"), source_type_name: text(), source_state: raw("{}".to_owned())
            });
            generate_resource_config(GenerateResourceConfigRequest { type_name: name("test_object"), state: object() });
        }
    }
    said.extend(in_streams(provider, word, &name).await);
    said
}

async fn in_streams(
    provider: &impl Provider,
    word: &str,
    name: &impl Fn(&str) -> std::sync::Arc<str>,
) -> Vec<(&'static str, Diagnostics)> {
    let call = &Call::new();
    let request =
        InvokeActionRequest { type_name: name("test_reboot"), config: config(word).into(), ..Default::default() };
    let mut events: Vec<_> = provider.invoke_action(call, request).await.unwrap().events.collect().await;
    let Some(InvokeActionEvent::Completed(invoked)) = events.pop() else {
        panic!("an action ends with its completion")
    };
    let listed_config = Value::object([("does", Value::string(word))]).into();
    let request = ListResourceRequest { type_name: name("test_object"), config: listed_config, ..Default::default() };
    let mut events: Vec<_> = provider.list_resource(call, request).await.unwrap().events.collect().await;
    let listed = events.pop().unwrap().diagnostics;
    let request = ReadStateBytesRequest { type_name: name("test_store"), state_id: "s".to_owned() };
    let mut chunks: Vec<_> = provider.read_state_bytes(call, request).await.unwrap().chunks.collect().await;
    let read = chunks.pop().unwrap().unwrap_err();
    let chunks = futures::stream::empty().boxed();
    let request = WriteStateBytesRequest { type_name: name("test_store"), state_id: "s".to_owned(), chunks };
    let written = provider.write_state_bytes(call, request).await.unwrap().diagnostics;
    vec![
        ("invoke_action", invoked),
        ("list_resource", listed),
        ("read_state_bytes", read),
        ("write_state_bytes", written),
    ]
}

#[tokio::test]
async fn f51_a_panic_anywhere_is_a_diagnostic_and_the_provider_lives_on() {
    let provider = provider();
    for (procedure, said) in everywhere(&provider, "panic", true).await {
        let text = details(&said);
        assert!(said.has_errors() && text.contains("The provider panicked: deliberate"), "{procedure}: {text}");
    }
    let request = CallFunctionRequest {
        name: "repeat".into(),
        arguments: vec![Value::string("panic").into(), Value::number(1).into()],
    };
    let response = provider.call_function(&Call::new(), request).await.unwrap();
    assert!(response.error.unwrap().text.contains("The provider panicked: deliberate"));
    let request =
        ReadDataSourceRequest { type_name: "test_lookup".into(), config: config("x").into(), ..Default::default() };
    assert!(provider.read_data_source(&Call::new(), request).await.unwrap().diagnostics.is_empty());
}

#[tokio::test]
async fn f43_f58_a_failure_says_which_operation_it_was_and_shows_no_secret() {
    for (procedure, said) in everywhere(&provider(), "fail", true).await {
        let text = details(&said);
        assert!(said.has_errors(), "{procedure}");
        assert!(said.iter().all(|diagnostic| diagnostic.summary.starts_with("The ")), "{procedure}: {text}");
        // Whoever has the secret in hand must not show it; renewing, closing and the store's work have no configuration.
        let has_config = ![
            "renew",
            "close",
            "lock",
            "unlock",
            "get_states",
            "delete_state",
            "import",
            "list",
            "read_state",
            "write",
        ]
        .iter()
        .any(|without| procedure.starts_with(without));
        assert!(!has_config || !text.contains(CANARY), "{procedure}: {text}");
    }
}

#[tokio::test]
async fn f53_what_is_not_there_is_said_to_be_not_found() {
    for (procedure, said) in everywhere(&provider(), "x", false).await {
        assert!(said.iter().any(|diagnostic| diagnostic.summary.ends_with(" not found")), "{procedure}: {said:?}");
    }
    let request = CallFunctionRequest { name: "other".into(), arguments: Vec::new() };
    let response = provider().call_function(&Call::new(), request).await.unwrap();
    assert!(response.error.unwrap().text.starts_with("Function not found"));
    let response = provider().call_function(&Call::new(), CallFunctionRequest::default()).await.unwrap();
    assert!(response.error.unwrap().text.starts_with("Invalid request"));
}

/// The configuration check of every kind.
async fn validations(word: &str) -> Vec<Diagnostics> {
    let (provider, call) = (provider(), Call::new());
    let mut said = Vec::new();
    macro_rules! check {
        ($($method:ident($request:ident, $name:literal, $config:expr);)*) => {$(
            #[allow(clippy::needless_update)]
            let request = $request { type_name: $name.into(), config: $config.into(), ..Default::default() };
            said.push(provider.$method(&call, request).await.unwrap().diagnostics);
        )*};
    }
    check! {
        validate_resource_config(ValidateResourceConfigRequest, "test_object", config(word));
        validate_data_resource_config(ValidateDataResourceConfigRequest, "test_lookup", config(word));
        validate_ephemeral_resource_config(ValidateEphemeralResourceConfigRequest, "test_token", config(word));
        validate_action_config(ValidateActionConfigRequest, "test_reboot", config(word));
        validate_state_store_config(ValidateStateStoreConfigRequest, "test_store", config(word));
        validate_list_resource_config(
            ValidateListResourceConfigRequest, "test_object", Value::object([("does", Value::string(word))])
        );
    }
    said
}

#[tokio::test]
async fn f51_every_kind_is_validated_and_may_panic_at_it() {
    for said in validations("x").await {
        assert!(said.is_empty(), "{said:?}");
    }
    for said in validations("panic in validate").await {
        assert!(details(&said).contains("The provider panicked: deliberate"), "{said:?}");
    }
    let mut invalid = validations("invalid").await;
    invalid.pop();
    for said in invalid {
        assert_eq!(details(&said), "invalid: not (sensitive)\n");
    }
}
