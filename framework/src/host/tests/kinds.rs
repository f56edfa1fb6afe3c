//! Every kind of component through the host: as it should be, and with an answer twisted, which the host must call by the
//! rule that it breaks.

use denobridge_core::DynamicValue;

use super::twisted::{Change, Twisted, host_of, id, written};
use super::*;
use crate::server::tests::fixtures::{self, CANARY};

#[tokio::test]
async fn a_data_source_is_read() {
    let host = host_of(Twisted::default()).await;
    let lookup = host.data_source("test_lookup", "x").unwrap();
    let config = lookup.config(&written("x")).unwrap();
    assert_eq!(id(&lookup.read(&config).await.expect_some()), Some("1"));
    let failed = lookup.read(&lookup.config(&written("fail")).unwrap()).await;
    assert!(!failed.report.to_string().contains(CANARY), "{}", failed.report);
    assert!(failed.expect_error("The read of test_lookup failed").is_none());
    let open = config.with_attribute("does", Value::unknown(Type::String));
    lookup.read(&open).await.expect_error("does");
    assert_eq!(host.data_source("test_other", "x").err().unwrap().summary, "Unknown data source");
}

#[tokio::test]
async fn r15_r17_what_a_data_source_returns() {
    let cases: [(Change<ReadDataSourceResponse>, Rule); 4] = [
        (|r| ReadDataSourceResponse { state: DynamicValue::Absent, ..r }, Rule::DataSource),
        (|r| ReadDataSourceResponse { state: fixtures::object("x", Value::unknown(Type::String)).into(), ..r }, {
            Rule::DataSource
        }),
        (|r| ReadDataSourceResponse { state: Value::string("x").into(), ..r }, Rule::Conformance),
        (|r| ReadDataSourceResponse { deferred: Some(Deferred::AbsentPrerequisite), ..r }, Rule::Deferral),
    ];
    for (read, rule) in cases {
        let host = host_of(Twisted { read, ..Twisted::default() }).await;
        let lookup = host.data_source("test_lookup", "x").unwrap();
        let step = lookup.read(&lookup.config(&written("x")).unwrap()).await;
        assert!(step.report.to_string().contains("data.test_lookup.x"), "{}", step.report);
        assert!(step.expect_violation(rule).is_none());
    }
}

#[tokio::test]
async fn r18_a_validation_repeats_itself() {
    let fickle = |number| if number == 0 { Diagnostics::new() } else { error("not today") };
    let host = host_of(Twisted { validate: fickle, ..Twisted::default() }).await;
    let lookup = host.data_source("test_lookup", "x").unwrap();
    let config = lookup.config(&written("x")).unwrap();
    lookup.validate(&config).await.expect_ok();
    let step = lookup.validate(&config).await;
    assert!(step.report.to_string().contains("then nothing was said, now not today"), "{}", step.report);
    step.expect_violation(Rule::Validation);
    // Another configuration of the provider may well change what it accepts.
    let host = host_of(Twisted { validate: fickle, ..Twisted::default() }).await;
    let lookup = host.data_source("test_lookup", "x").unwrap();
    lookup.validate(&config).await.expect_ok();
    host.configure(&Value::object::<&str>([])).await.expect_ok();
    let report = lookup.validate(&config).await.report;
    assert!(report.violations.is_empty(), "{report}");
}

#[tokio::test]
async fn an_ephemeral_resource_is_opened_renewed_and_closed() {
    let host = host_of(Twisted::default()).await;
    let token = host.ephemeral_resource("test_token", "x").unwrap();
    let config = token.config(&written("later fail")).unwrap();
    let open = token.open(&config).await.expect_some();
    assert_eq!(id(&open.value), Some("1"));
    let renewed = token.renew(open).await.expect_error("The renewal of test_token failed");
    assert_eq!(renewed.renew_at, None);
    let renewed = token.renew(renewed).await.expect_error("Nothing to renew");
    token.close(renewed).await.expect_error("test_token failed");
    token.open(&token.config(&written("other")).unwrap()).await.expect_error("does not match config value");
    let open: Change<OpenEphemeralResourceResponse> = |response| OpenEphemeralResourceResponse {
        result: fixtures::object("z", Value::string("1")).into(),
        ..response
    };
    let host = host_of(Twisted { open, ..Twisted::default() }).await;
    let token = host.ephemeral_resource("test_token", "x").unwrap();
    assert_eq!(token.open(&config).await.expect_violation(Rule::Ephemeral), None);
}

#[tokio::test]
async fn an_action_is_planned_and_tells_how_far_it_is() {
    #[derive(Default)]
    struct Watcher(Mutex<Vec<String>>);
    impl denobridge_core::call::ProgressSink for Watcher {
        fn progress(&self, message: &str) {
            self.0.lock().unwrap().push(message.to_owned());
        }
    }
    let watcher = Arc::new(Watcher::default());
    let host = host_of(Twisted::default()).await.with_call(Call::new().with_progress(Arc::clone(&watcher) as _));
    let reboot = host.action("test_reboot", "x").unwrap();
    let config = reboot.config(&written("x")).unwrap();
    let told = reboot.invoke(&config).await.expect_ok();
    assert_eq!(told, ["one", "two (sensitive)"]);
    assert_eq!(*watcher.0.lock().unwrap(), told);
    let open = config.with_attribute("does", Value::unknown(Type::String));
    reboot.plan(&open).await.expect_ok();
    assert!(reboot.invoke(&open).await.expect_error("unknown value").is_empty());
}

#[tokio::test]
async fn r17_r19_what_an_action_answers() {
    let cases: [(Change<Vec<InvokeActionEvent>>, &str); 2] = [
        (|events| events[..1].to_vec(), "ended without saying"),
        (|events| [&events[..], &events[..1]].concat(), "after its end"),
    ];
    for (action, text) in cases {
        let host = host_of(Twisted { action, ..Twisted::default() }).await;
        let reboot = host.action("test_reboot", "x").unwrap();
        let step = reboot.invoke(&reboot.config(&written("x")).unwrap()).await;
        assert!(step.report.to_string().contains(text), "{}", step.report);
        let _ = step.expect_violation(Rule::Protocol);
    }
    let plan_action: Change<PlanActionResponse> =
        |response| PlanActionResponse { deferred: Some(Deferred::ProviderConfigUnknown), ..response };
    let host = host_of(Twisted { plan_action, ..Twisted::default() }).await;
    let reboot = host.action("test_reboot", "x").unwrap();
    assert!(reboot.invoke(&reboot.config(&written("x")).unwrap()).await.expect_violation(Rule::Deferral).is_empty());
}

#[tokio::test]
async fn a_list_resource_finds_objects_to_import() {
    let host = host_of(Twisted::default()).await;
    let things = host.list_resource("test_object", "x").unwrap();
    let config = things.config(&Value::object([("does", Value::string("x"))])).unwrap();
    let found = things.list(&config, true, 2).await.expect_ok();
    assert_eq!(found.iter().map(|found| &*found.display_name).collect::<Vec<_>>(), ["thing 0", "thing 1"]);
    assert_eq!(found[1].object.as_ref().and_then(id), Some("1"));
    assert_eq!(things.list(&config, false, 9).await.expect_ok().len(), 5);
    let object = host.resource("test_object", "x").unwrap();
    let imported = object.import_by_identity(&found[1].identity).await.expect_some();
    assert_eq!(imported.identity.as_ref(), Some(&found[1].identity));
    let failing = things.config(&Value::object([("does", Value::string("fail"))])).unwrap();
    assert_eq!(things.list(&failing, false, 9).await.expect_error("listing of test_object failed").len(), 5);
}

#[tokio::test]
async fn r16_r19_what_a_list_resource_finds() {
    let cases: [(Change<Vec<ListResourceEvent>>, Rule); 4] = [
        (|events| [&events[..], &events[..]].concat(), Rule::Protocol),
        (|events| vec![ListResourceEvent { identity: DynamicValue::Absent, ..events[0].clone() }], Rule::Protocol),
        (
            |events| {
                let identity = Value::object([("id", Value::unknown(Type::String))]).into();
                vec![ListResourceEvent { identity, ..events[0].clone() }]
            },
            Rule::Identity,
        ),
        (
            |events| vec![ListResourceEvent { resource_object: Some(Value::string("x").into()), ..events[0].clone() }],
            Rule::Conformance,
        ),
    ];
    for (list, rule) in cases {
        let host = host_of(Twisted { list, ..Twisted::default() }).await;
        let things = host.list_resource("test_object", "x").unwrap();
        let config = things.config(&Value::object([("does", Value::string("x"))])).unwrap();
        let _ = things.list(&config, true, 5).await.expect_violation(rule);
    }
}

#[tokio::test]
async fn a_function_is_called_as_core_calls_it() {
    let host = host_of(Twisted::default()).await;
    let repeat = host.function("repeat").unwrap();
    assert_eq!(repeat.signature().parameters.len(), 2);
    let (text, count) = (Value::string("ab"), Value::string("2"));
    assert_eq!(repeat.call(&[text.clone(), count.clone()]).await.expect_some(), Value::string("abab"));
    let unknown = repeat.call(&[text.clone(), Value::unknown(Type::Number)]).await;
    assert!(unknown.report.exchanges.is_empty(), "nothing is asked");
    assert_eq!(unknown.expect_some(), Value::unknown(Type::String));
    let wrong: [(&[Value], &str); 5] = [
        (std::slice::from_ref(&text), "takes at least 2 arguments, but was given 1"),
        (&[text.clone(), text.clone()], "argument 1 (count): a number is required"),
        (&[Value::null(Type::String), count.clone()], "argument 0 (text): must not be null"),
        (&[Value::string("wrong rest"), count.clone(), text.clone(), text.clone()], "argument 3: not that"),
        (&[Value::string("number"), count.clone()], "repeat"),
    ];
    for (arguments, text) in wrong {
        assert!(repeat.call(arguments).await.expect_error(text).is_none());
    }
}

#[tokio::test]
async fn r1_r19_what_a_function_returns() {
    type Answer = fn(usize, CallFunctionResponse) -> CallFunctionResponse;
    let cases: [(Answer, Rule); 4] = [
        (|_, _| CallFunctionResponse::default(), Rule::Protocol),
        (|_, r| CallFunctionResponse { result: Value::bool(true).into(), ..r }, Rule::Conformance),
        (|number, r| CallFunctionResponse { result: Value::string(number.to_string()).into(), ..r }, Rule::Protocol),
        (
            |_, r| CallFunctionResponse {
                error: Some(FunctionError { text: "no".to_owned(), argument: Some(2) }),
                ..r
            },
            Rule::Protocol,
        ),
    ];
    for (call, rule) in cases {
        let host = host_of(Twisted { call, ..Twisted::default() }).await;
        let repeat = host.function("repeat").unwrap();
        let arguments = [Value::string("ab"), Value::number(2)];
        let _ = repeat.call(&arguments).await;
        assert!(repeat.call(&arguments).await.expect_violation(rule).is_none());
    }
}

#[tokio::test]
async fn a_state_store_keeps_states() {
    let host = host_of(Twisted::default()).await;
    let store = host.state_store("test_store").unwrap();
    let config = store.config(&written("x")).unwrap();
    let store = store.configure_with_chunks_of(&config, 4).await.expect_some();
    assert_eq!(store.chunk_size(), 4);
    let lock = store.lock("a", "apply").await.expect_some();
    store.read("a").await.expect_none();
    for state in ["0123456789", "01234567", "0"] {
        store.write("a", Bytes::from_static(state.as_bytes())).await.expect_ok();
        assert_eq!(store.read("a").await.expect_some(), state.as_bytes());
    }
    assert_eq!(store.states().await.expect_ok(), ["a"]);
    store.unlock("a", &lock).await.expect_ok();
    store.unlock("a", "").await.expect_error("no lock");
    store.delete("a").await.expect_ok();
    assert!(store.states().await.expect_ok().is_empty());
}

#[tokio::test]
async fn r19_what_a_state_store_answers() {
    type Chunks = Vec<Result<StateChunk, Diagnostics>>;
    let cases: [(Change<Chunks>, &str); 5] = [
        (|chunks| chunks[..2].to_vec(), "the state is to have 10 bytes, but there are 8"),
        (|chunks| chunks[1..].to_vec(), "a chunk says that it is bytes 4 to 7, but it is bytes 0 to 3"),
        (
            |mut chunks| {
                chunks[1].as_mut().unwrap().total_length = 11;
                chunks
            },
            "the length of the state was 10, and is now 11",
        ),
        (
            |mut chunks| {
                let chunk = chunks[0].as_mut().unwrap();
                (chunk.bytes, chunk.end) = (Bytes::from_static(b"01"), 1);
                chunks
            },
            "a chunk has 2 bytes, but 4 were agreed on",
        ),
        (
            |mut chunks| {
                let chunk = chunks[0].as_mut().unwrap();
                (chunk.bytes, chunk.end) = (Bytes::from_static(b"0123456789"), 9);
                chunks[..1].to_vec()
            },
            "a chunk has 10 bytes, but 4 were agreed on",
        ),
    ];
    for (chunks, text) in cases {
        let host = host_of(Twisted { chunks, ..Twisted::default() }).await;
        let store = host.state_store("test_store").unwrap();
        let config = store.config(&written("x")).unwrap();
        let store = store.configure_with_chunks_of(&config, 4).await.expect_some();
        store.write("a", Bytes::from_static(b"0123456789")).await.expect_ok();
        let step = store.read("a").await;
        assert!(step.report.to_string().contains(text), "{}", step.report);
        assert_eq!(step.expect_violation(Rule::Protocol), None);
    }
    let sizes: [Change<ConfigureStateStoreResponse>; 3] = [
        |response| ConfigureStateStoreResponse { chunk_size: 0, ..response },
        |response| ConfigureStateStoreResponse { chunk_size: -1, ..response },
        |response| ConfigureStateStoreResponse { chunk_size: (128 << 20) + 1, ..response },
    ];
    for configure in sizes {
        let host = host_of(Twisted { configure, ..Twisted::default() }).await;
        let store = host.state_store("test_store").unwrap();
        let config = store.config(&written("x")).unwrap();
        assert!(store.configure(&config).await.expect_violation(Rule::Protocol).is_none());
    }
    let lock: Change<LockStateResponse> = |response| LockStateResponse { lock_id: String::new(), ..response };
    let host = host_of(Twisted { lock, ..Twisted::default() }).await;
    let store = host.state_store("test_store").unwrap();
    let config = store.config(&written("x")).unwrap();
    let store = store.configure(&config).await.expect_some();
    assert_eq!(store.chunk_size(), 8 << 20, "what Terraform asks for");
    assert_eq!(store.lock("a", "plan").await.expect_violation(Rule::Protocol), None);
}

#[tokio::test]
async fn f54_names_are_those_of_the_schema() {
    let host = host_of(Twisted::default()).await;
    assert_eq!(host.metadata().await.expect_some().data_sources, ["test_lookup".into()]);
    let cases: [Change<GetMetadataResponse>; 2] = [
        |response| GetMetadataResponse { actions: vec!["other".into()], ..response },
        |response| GetMetadataResponse { server_capabilities: ServerCapabilities::default(), ..response },
    ];
    for metadata in cases {
        let host = host_of(Twisted { metadata, ..Twisted::default() }).await;
        let _ = host.metadata().await.expect_violation(Rule::Protocol);
    }
}

#[tokio::test]
async fn a_module_may_say_more_about_itself() {
    let host = host_of(Twisted::default()).await;
    let meta = Value::object([("team", Value::string("core"))]);
    let lookup = |host: &Host| {
        let host = host.clone();
        async move {
            let lookup = host.data_source("test_lookup", "x").unwrap();
            let config = lookup.config(&written("meta")).unwrap();
            lookup.read(&config).await.expect_some().attribute("id").cloned()
        }
    };
    assert_eq!(lookup(&host).await, Some(Value::string("none")));
    assert_eq!(lookup(&host.with_provider_meta(&meta).unwrap()).await, Some(Value::string("core")));
    assert!(host.with_provider_meta(&Value::object([("tame", Value::string("x"))])).is_err());
}
