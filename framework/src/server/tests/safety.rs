//! Turns, records, stopping, blocking code and putting everything off.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use denobridge_core::call::{LogLevel, LogSink};
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::schema::{Block, Schema};
use denobridge_core::{Call, Diagnostic, Diagnostics, Provider};
use futures::StreamExt;

use super::fixtures::*;
use crate::erased::{Create, DataRead, Delete, ErasedDataSource, ErasedResource, Outcome, Read, Update};
use crate::instances::{Instance, Phase};
use crate::{Context, Lifecycle, ProviderBuilder, blocking};

/// Counts how many work at once, in all and most.
#[derive(Default)]
struct Busy {
    now: AtomicUsize,
    most: AtomicUsize,
}

struct Counting(Arc<Busy>);

#[async_trait]
impl ErasedResource for Counting {
    fn schema(&self) -> Schema {
        schema()
    }

    async fn create(&self, _: &Context, request: Create<'_>) -> Outcome {
        if does(&request.planned) == "fail" {
            let made = request.planned.with_attribute("id", Value::string("1"));
            let diagnostics = Diagnostic::error("half made", format!("because of {CANARY}")).into();
            return Outcome { state: Some(made), diagnostics };
        }
        Outcome::of(done(&request.planned))
    }

    async fn read(&self, _: &Context, request: Read<'_>) -> Outcome {
        let now = self.0.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(500)).await;
        self.0.now.fetch_sub(1, Ordering::SeqCst);
        Outcome::of(request.state)
    }

    async fn update(&self, _: &Context, request: Update<'_>) -> Outcome {
        Outcome::of(request.planned)
    }

    async fn delete(&self, _: &Context, _: Delete<'_>) -> Diagnostics {
        Diagnostics::new()
    }
}

async fn most_at_once(ids: impl Iterator<Item = usize>) -> usize {
    let busy = Arc::new(Busy::default());
    let provider =
        ProviderBuilder::new("test").resource("test_object", Box::new(Counting(Arc::clone(&busy)))).build().unwrap();
    let reads = ids.map(|id| {
        let current_state = object("x", Value::string(id.to_string())).into();
        let request = ReadResourceRequest { type_name: "test_object".into(), current_state, ..Default::default() };
        async { provider.read_resource(&Call::new(), request).await.unwrap() }
    });
    let responses = futures::future::join_all(reads).await;
    assert!(responses.iter().all(|response| !response.diagnostics.has_errors()));
    busy.most.load(Ordering::SeqCst)
}

#[tokio::test]
async fn f6_f41_objects_do_not_wait_for_each_other_but_each_has_one_operation_at_a_time() {
    assert_eq!(most_at_once(0..1000).await, 1000);
    assert_eq!(most_at_once([7, 7, 7].into_iter()).await, 1);
}

#[tokio::test]
async fn f6_the_schema_of_500_types_is_made_once() {
    let builder = (0..500).fold(ProviderBuilder::new("test"), |builder, number| {
        builder.resource(format!("test_type_{number}"), Box::new(Object { identity: true }))
    });
    let provider = builder.build().unwrap();
    let ask = async || provider.get_provider_schema(&Call::new(), GetProviderSchemaRequest {}).await;
    let (first, second) = (ask().await.unwrap().schema, ask().await.unwrap().schema);
    assert_eq!(first.resources.len(), 500);
    assert!(Arc::ptr_eq(&first, &second));
}

#[tokio::test]
async fn f42_what_becomes_of_an_object_is_recorded() {
    let records = Arc::new(Lifecycle::default());
    let provider = ProviderBuilder::new("test")
        .resource("test_object", Box::new(Counting(Arc::default())))
        .lifecycle(Arc::clone(&records))
        .build()
        .unwrap();
    let null = || Value::null(schema().implied_type());
    let lines = Arc::new(Transitions::default());
    let call = Call::new().with_log(Arc::clone(&lines) as Arc<dyn LogSink>);
    let apply = |prior: Value, planned: Value| {
        let request = ApplyResourceChangeRequest {
            type_name: "test_object".into(),
            prior_state: prior.into(),
            config: planned.clone().into(),
            planned_state: planned.into(),
            ..Default::default()
        };
        async { provider.apply_resource_change(&call, request).await.unwrap() }
    };
    let made = object("x", Value::string("1"));
    let instance = Instance::of(&"test_object".into(), None, &made).unwrap();
    assert_eq!(records.record(&instance), None);
    apply(null(), object("x", Value::unknown(Type::String))).await;
    assert_eq!(records.record(&instance).unwrap().phase, Phase::Created);
    apply(made.clone(), made.clone()).await;
    assert_eq!(records.record(&instance).unwrap().operation, "update");
    apply(made, null()).await;
    assert_eq!(records.record(&instance).unwrap().phase, Phase::Deleted);
    apply(null(), object("fail", Value::unknown(Type::String))).await;
    let record = records.record(&instance).unwrap();
    assert_eq!((record.phase, record.error.as_deref()), (Phase::Failed, Some("half made")));
    let told = lines.0.lock().unwrap();
    let told: Vec<&str> = told.iter().map(String::as_str).collect();
    assert_eq!(
        told,
        [
            "test_object: UNKNOWN -> CREATING",
            "test_object: UNKNOWN -> CREATED",
            "test_object: CREATED -> UPDATING",
            "test_object: UPDATING -> CREATED",
            "test_object: CREATED -> DELETING",
            "test_object: DELETING -> DELETED",
            "test_object: UNKNOWN -> CREATING",
            "test_object: DELETED -> FAILED",
        ]
    );
}

/// What the record of lives logs.
#[derive(Default)]
struct Transitions(Mutex<Vec<String>>);

impl LogSink for Transitions {
    fn enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn log(&self, _: LogLevel, module: &str, message: &str, _: &[(&str, &str)]) {
        if module == "lifecycle" {
            self.0.lock().unwrap().push(message.to_owned());
        }
    }
}

#[tokio::test]
async fn f57_stopping_ends_a_running_action_which_still_completes() {
    let provider = Arc::new(provider());
    let request =
        InvokeActionRequest { type_name: "test_reboot".into(), config: config("slow").into(), ..Default::default() };
    let mut events = provider.invoke_action(&Call::new(), request).await.unwrap().events;
    assert!(matches!(events.next().await, Some(InvokeActionEvent::Progress(_))));
    assert!(matches!(events.next().await, Some(InvokeActionEvent::Progress(_))));
    let stopped = provider.stop_provider(&Call::new(), StopProviderRequest {}).await.unwrap();
    assert!(stopped.error.is_empty());
    let last = tokio::time::timeout(Duration::from_secs(1), events.next()).await.unwrap();
    let Some(InvokeActionEvent::Completed(said)) = last else { panic!("it completes") };
    assert_eq!(super::summaries(&said), ["stopped"]);
    assert!(events.next().await.is_none());
}

struct Blocking;

#[async_trait]
impl ErasedDataSource for Blocking {
    fn schema(&self) -> Schema {
        schema()
    }

    async fn read(&self, _: &Context, config: Value) -> DataRead {
        let word = does(&config);
        let work = move || match word.as_str() {
            "panic" => panic!("deliberate"),
            "block" => std::thread::sleep(Duration::from_millis(300)),
            _ => {}
        };
        match blocking(work).await {
            Ok(()) => DataRead::of(done(&config)),
            Err(diagnostic) => DataRead::failed(diagnostic),
        }
    }
}

#[tokio::test(flavor = "current_thread")]
async fn f7_code_that_blocks_does_not_hold_up_other_requests() {
    let provider = ProviderBuilder::new("test").data_source("test_lookup", Box::new(Blocking)).build().unwrap();
    let read = |word: &str| {
        let (type_name, config) = ("test_lookup".into(), config(word).into());
        let request = ReadDataSourceRequest { type_name, config, ..Default::default() };
        async { provider.read_data_source(&Call::new(), request).await.unwrap() }
    };
    let slow = std::pin::pin!(read("block"));
    let quick = std::pin::pin!(async {
        tokio::task::yield_now().await;
        read("x").await
    });
    let first = futures::future::select(slow, quick).await;
    assert!(matches!(first, futures::future::Either::Right(_)), "the quick one is answered first");
    let panicked = read("panic").await.diagnostics;
    assert!(details(&panicked).contains("The provider panicked: deliberate"), "{panicked:?}");
}

#[tokio::test]
async fn f49_while_the_provider_puts_off_nothing_is_asked() {
    let region = attribute("region", |a| a.optional = true);
    let schema = Schema { version: 0, block: Block { attributes: vec![region], ..Block::default() } };
    let provider = builder()
        .config_schema(schema)
        .defer_while(|config| (!config.is_wholly_known()).then_some(Deferred::ProviderConfigUnknown))
        .build()
        .unwrap();
    let client = |deferral_allowed| ClientCapabilities { deferral_allowed, ..ClientCapabilities::default() };
    let configure = |region: Value, allowed| {
        let config = Value::object([("region", region)]).into();
        let client_capabilities = client(allowed);
        let request = ConfigureProviderRequest { config, client_capabilities, ..Default::default() };
        async { provider.configure_provider(&Call::new(), request).await.unwrap().diagnostics }
    };
    let unknown = || Value::unknown(Type::String);
    assert!(configure(unknown(), false).await.has_errors(), "who cannot wait is told so");
    assert!(configure(unknown(), true).await.is_empty());
    let read = || {
        let (type_name, config) = ("test_lookup".into(), config("panic").into());
        let client_capabilities = client(true);
        let request = ReadDataSourceRequest { type_name, config, client_capabilities, ..Default::default() };
        async { provider.read_data_source(&Call::new(), request).await.unwrap() }
    };
    let response = read().await;
    assert_eq!(response.deferred, Some(Deferred::ProviderConfigUnknown));
    assert!(response.diagnostics.is_empty());
    assert!(configure(Value::string("r"), true).await.is_empty());
    assert_eq!(read().await.deferred, None, "another configuration ends it");
}

#[tokio::test]
async fn f58_secrets_of_the_provider_stay_secret_in_every_answer() {
    let token = attribute("token", |a| (a.optional, a.sensitive) = (true, true));
    let schema = Schema { version: 0, block: Block { attributes: vec![token], ..Block::default() } };
    let provider = builder().config_schema(schema).build().unwrap();
    let config = Value::object([("token", Value::string(CANARY))]).into();
    let request = ConfigureProviderRequest { config, ..Default::default() };
    provider.configure_provider(&Call::new(), request).await.unwrap();
    let request =
        ImportResourceStateRequest { type_name: "test_object".into(), id: "fail".to_owned(), ..Default::default() };
    let said = provider.import_resource_state(&Call::new(), request).await.unwrap().diagnostics;
    assert_eq!(details(&said), "The import of test_object failed: cannot use (sensitive)\n");
}
