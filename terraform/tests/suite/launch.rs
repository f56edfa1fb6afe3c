//! The host's side: providers started and asked through the seam.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use denobridge_core::call::{LogLevel, LogSink};
use denobridge_core::cty::{Type, Value};
use denobridge_core::provider::*;
use denobridge_core::{Call, CallError, Diagnostics, DynamicValue, Provider};
use denobridge_terraform::launch::PlainSpawner;
use denobridge_terraform::{ForeignProvider, LaunchError, LaunchOptions, launch};
use futures::StreamExt as _;
use futures::stream;

use super::support::{LIMIT, PROGRAM, note, note_type, soon};

/// Keeps what providers log.
#[derive(Default)]
struct Logged(Mutex<Vec<String>>);

impl LogSink for Logged {
    fn enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn log(&self, level: LogLevel, _: &str, message: &str, fields: &[(&str, &str)]) {
        self.0.lock().unwrap().push(format!("{level:?} {message} {fields:?}"));
    }
}

pub fn options(program: impl Into<PathBuf>) -> LaunchOptions {
    LaunchOptions::new("example/tiny", program, Arc::new(Logged::default()), Arc::new(PlainSpawner))
}

async fn start(protocol: u32) -> ForeignProvider {
    let environment = vec![("TINY_PROTOCOL".into(), protocol.to_string().into())];
    let provider = soon("launch", launch(LaunchOptions { environment, ..options(PROGRAM) })).await.unwrap();
    assert_eq!(provider.protocol(), protocol);
    provider
}

/// A program that is this shell script.
fn script(directory: &FilePath, text: &str) -> PathBuf {
    let path = directory.join("terraform-provider-x");
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

async fn refused(text: &str, limit: Duration) -> String {
    let directory = tempfile::tempdir().unwrap();
    let program = script(directory.path(), text);
    let launched = soon("launch", launch(LaunchOptions { start_limit: limit, ..options(program) })).await;
    launched.err().unwrap().to_string()
}

#[tokio::test]
async fn a_provider_is_told_which_log_lines_are_wanted() {
    let said = refused("echo sdk=$TF_LOG_SDK own=$TF_LOG_PROVIDER_X >&2; exit 3", LIMIT).await;
    assert!(said.ends_with("\n  sdk=TRACE own=TRACE"), "{said}");
}

fn decoded(value: &DynamicValue) -> Value {
    value.decode(&note_type()).unwrap()
}

#[tokio::test]
async fn both_protocols_are_one_behind_the_seam() {
    let directory = tempfile::tempdir().unwrap();
    let mut schemas = Vec::new();
    for protocol in [5, 6] {
        let provider = start(protocol).await;
        let call = Call::new();
        let schema = provider.get_provider_schema(&call, GetProviderSchemaRequest {}).await.unwrap();
        assert_eq!(schema.diagnostics, Diagnostics::new());
        schemas.push(schema.schema);
        life(&provider, &directory.path().join("note.txt").to_string_lossy()).await;
        provider.shutdown().await;
        let gone = provider.get_metadata(&call, GetMetadataRequest {}).await.unwrap_err();
        assert!(matches!(gone, CallError::Unavailable { .. }), "{gone:?}");
    }
    let mut of_6 = (*schemas[1]).clone();
    assert_eq!(of_6.state_stores.len(), 1);
    of_6.state_stores.clear();
    assert_eq!(*schemas[0], of_6);
}

/// Create, read, find and delete a note.
async fn life(provider: &ForeignProvider, path: &str) {
    let call = Call::new();
    let type_name: Arc<str> = "tiny_note".into();
    let null = || DynamicValue::from(Value::null(note_type()));
    let proposed = note(path, "hello");
    let config = proposed.clone().with_attribute("id", Value::null(Type::String));
    let configured = ConfigureProviderRequest { terraform_version: "1.2.3".to_owned(), ..Default::default() };
    let empty = Value::object([("endpoint", Value::list(Type::object([("url", Type::String)]), []))]);
    let configured = ConfigureProviderRequest { config: empty.into(), ..configured };
    assert!(provider.configure_provider(&call, configured).await.unwrap().diagnostics.is_empty());

    let plan = PlanResourceChangeRequest {
        type_name: Arc::clone(&type_name),
        prior_state: null(),
        proposed_new_state: proposed.into(),
        config: config.clone().into(),
        ..Default::default()
    };
    let planned = provider.plan_resource_change(&call, plan).await.unwrap();
    let apply = ApplyResourceChangeRequest {
        type_name: Arc::clone(&type_name),
        prior_state: null(),
        planned_state: planned.planned_state,
        config: config.into(),
        planned_private: planned.planned_private,
        ..Default::default()
    };
    let applied = provider.apply_resource_change(&call, apply).await.unwrap();
    assert_eq!(applied.diagnostics, Diagnostics::new());
    let state = decoded(&applied.new_state);
    assert_eq!(state.attribute("id"), Some(&Value::string(path)));
    assert_eq!(std::fs::read_to_string(path).unwrap(), "hello");

    std::fs::write(path, "changed").unwrap();
    let read = ReadResourceRequest {
        type_name: Arc::clone(&type_name),
        current_state: state.clone().into(),
        private: applied.private,
        ..Default::default()
    };
    let read = provider.read_resource(&call, read).await.unwrap();
    assert_eq!(decoded(&read.new_state).attribute("text"), Some(&Value::string("changed")));
    assert_eq!(read.private, "{}");

    let import = ImportResourceStateRequest { type_name: type_name.clone(), id: path.to_owned(), ..Default::default() };
    let imported = provider.import_resource_state(&call, import).await.unwrap().imported_resources;
    assert_eq!(decoded(&imported[0].state).attribute("text"), Some(&Value::string("changed")));

    let delete = ApplyResourceChangeRequest {
        type_name,
        prior_state: state.into(),
        planned_state: null(),
        config: null(),
        ..Default::default()
    };
    assert!(provider.apply_resource_change(&call, delete).await.unwrap().new_state.is_null());
    assert!(!FilePath::new(path).exists());
}

#[tokio::test]
async fn the_other_kinds_are_asked_too() {
    for protocol in [5, 6] {
        let provider = start(protocol).await;
        let call = Call::new();
        let config = Value::object([("text", Value::string("four")), ("length", Value::null(Type::Number))]);
        let request =
            ReadDataSourceRequest { type_name: "tiny_length".into(), config: config.into(), ..Default::default() };
        let ty = Type::object([("text", Type::String), ("length", Type::Number)]);
        let state = provider.read_data_source(&call, request).await.unwrap().state.decode(&ty).unwrap();
        assert_eq!(state.attribute("length"), Some(&Value::number(4)));

        let shout =
            |text: &str| CallFunctionRequest { name: "shout".into(), arguments: vec![Value::string(text).into()] };
        let shouted = provider.call_function(&call, shout("hey")).await.unwrap().result;
        assert_eq!(shouted.decode(&Type::String).unwrap(), Value::string("HEY"));
        let error = provider.call_function(&call, shout("")).await.unwrap().error.unwrap();
        assert_eq!((error.text.as_str(), error.argument), ("nothing to shout", Some(0)));

        let config = Value::object([("for", Value::string("me")), ("token", Value::null(Type::String))]);
        let open = OpenEphemeralResourceRequest {
            type_name: "tiny_token".into(),
            config: config.into(),
            ..Default::default()
        };
        let opened = provider.open_ephemeral_resource(&call, open).await.unwrap();
        assert_eq!((opened.private.as_ref(), opened.renew_at.is_some()), (b"opened".as_ref(), true));
        let close = CloseEphemeralResourceRequest { type_name: "tiny_token".into(), private: opened.private };
        assert!(provider.close_ephemeral_resource(&call, close).await.unwrap().diagnostics.is_empty());

        let config = Value::object([("filter", Value::null(Type::String))]);
        let list = ListResourceRequest {
            type_name: "tiny_note".into(),
            config: config.into(),
            include_resource_object: true,
            limit: 9,
        };
        let listed: Vec<_> = provider.list_resource(&call, list).await.unwrap().events.collect().await;
        let names: Vec<_> = listed.iter().map(|event| event.display_name.as_str()).collect();
        assert_eq!(names, ["a.txt", "b.txt"]);

        for (action, error) in [("tiny_ring", None), ("tiny_mute", Some("Action ended without a result"))] {
            let config = Value::object::<Arc<str>>([]);
            let invoke = InvokeActionRequest { type_name: action.into(), config: config.into(), ..Default::default() };
            let events: Vec<_> = provider.invoke_action(&call, invoke).await.unwrap().events.collect().await;
            assert_eq!(events.len(), 3, "{events:?}");
            let InvokeActionEvent::Completed(said) = &events[2] else { panic!("{events:?}") };
            assert_eq!(said.errors().next().map(|error| error.summary.as_str()), error);
        }
    }
}

#[tokio::test]
async fn a_state_is_written_and_read_in_chunks() {
    let provider = start(6).await;
    let call = Call::new();
    let chunk = |bytes: &'static [u8], start: i64| StateChunk {
        bytes: bytes.into(),
        total_length: 6,
        start,
        end: start + bytes.len() as i64 - 1,
    };
    let write = WriteStateBytesRequest {
        type_name: "tiny_store".into(),
        state_id: "s".to_owned(),
        chunks: stream::iter([chunk(b"abcd", 0), chunk(b"ef", 4)]).boxed(),
    };
    assert!(provider.write_state_bytes(&call, write).await.unwrap().diagnostics.is_empty());
    let read = ReadStateBytesRequest { type_name: "tiny_store".into(), state_id: "s".to_owned() };
    let chunks: Vec<_> = provider.read_state_bytes(&call, read).await.unwrap().chunks.collect().await;
    let bytes: Vec<u8> = chunks.into_iter().flat_map(|chunk| chunk.unwrap().bytes).collect();
    assert_eq!(bytes, b"abcdef");
    let states = provider.get_states(&call, GetStatesRequest { type_name: "tiny_store".into() }).await.unwrap();
    assert_eq!(states.state_ids, ["s"]);
    let of_5 = start(5).await;
    let unknown = of_5.get_states(&call, GetStatesRequest::default()).await.unwrap_err();
    assert_eq!(unknown, CallError::Unimplemented { procedure: "GetStates" });
}

#[tokio::test]
async fn what_does_not_fit_the_schema_never_reaches_the_provider() {
    let provider = start(6).await;
    let request = ReadResourceRequest {
        type_name: "tiny_note".into(),
        current_state: Value::string("s3cret").into(),
        ..Default::default()
    };
    let error = provider.read_resource(&Call::new(), request).await.unwrap_err().to_string();
    assert!(error.starts_with("the state does not fit the provider's schema: "), "{error}");
    assert!(!error.contains("s3cret"), "{error}");
    let request = ReadResourceRequest { type_name: "tiny_what".into(), ..Default::default() };
    let error = provider.read_resource(&Call::new(), request).await.unwrap_err().to_string();
    assert_eq!(error, "example/tiny has no resource type \"tiny_what\".");
}

#[tokio::test]
async fn a_cancelled_call_brings_back_what_exists() {
    let provider = start(6).await;
    let call = Call::new();
    let planned = note("x", "y").with_attribute("id", Value::unknown(Type::String));
    let apply = ApplyResourceChangeRequest {
        type_name: "tiny_slow".into(),
        prior_state: Value::null(note_type()).into(),
        planned_state: planned.into(),
        config: note("x", "y").with_attribute("id", Value::null(Type::String)).into(),
        ..Default::default()
    };
    let cancellation = call.cancellation().clone();
    let applied = provider.apply_resource_change(&call, apply);
    let cancelled = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        cancellation.cancel();
    };
    let (applied, ()) = soon("apply", async { tokio::join!(applied, cancelled) }).await;
    let applied = applied.unwrap();
    assert!(applied.diagnostics.has_errors());
    assert_eq!(decoded(&applied.new_state).attribute("id"), Some(&Value::string("half done")));
}

#[tokio::test]
async fn a_call_ends_at_its_deadline() {
    let provider = start(6).await;
    let call = Call::new().with_deadline(Some(Instant::now() + Duration::from_millis(100)));
    let apply = ApplyResourceChangeRequest {
        type_name: "tiny_slow".into(),
        planned_state: note("x", "y").into(),
        ..Default::default()
    };
    let error = soon("apply", provider.apply_resource_change(&call, apply)).await.unwrap_err();
    assert_eq!(error.to_string(), "no answer from example/tiny within the time limit of the operation");
}

#[tokio::test]
async fn a_crash_is_told_with_the_last_words() {
    let directory = tempfile::tempdir().unwrap();
    let program = script(directory.path(), &format!("echo 'panic: boom' >&2\nexec {PROGRAM}"));
    let provider = soon("launch", launch(options(program))).await.unwrap();
    let call = Call::new();
    provider.get_provider_schema(&call, GetProviderSchemaRequest {}).await.unwrap();
    let apply = ApplyResourceChangeRequest {
        type_name: "tiny_slow".into(),
        planned_state: note("x", "y").into(),
        ..Default::default()
    };
    let applied = provider.apply_resource_change(&call, apply);
    let killed = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        let id = rustix::process::Pid::from_raw(provider.process_id().unwrap() as i32).unwrap();
        rustix::process::kill_process(id, rustix::process::Signal::KILL).unwrap();
    };
    let (applied, ()) = soon("apply", async { tokio::join!(applied, killed) }).await;
    let expected = "example/tiny ended while it worked on ApplyResourceChange: signal: 9 (SIGKILL)\nIt last said:\n  \
                    panic: boom";
    assert_eq!(applied.unwrap_err().to_string(), expected);
    // The next call is not what it ended of.
    let read = ReadResourceRequest { type_name: "tiny_slow".into(), ..Default::default() };
    let expected = "example/tiny had ended before it was asked for ReadResource, and is only started again by the next run: \
                    signal: 9 (SIGKILL)\nIt last said:\n  panic: boom";
    assert_eq!(provider.read_resource(&call, read).await.unwrap_err().to_string(), expected);
}

#[tokio::test]
async fn what_is_no_provider_is_told_from_one() {
    let ended = refused("echo 'no such flag' >&2; exit 3", LIMIT).await;
    let expected = "the provider example/tiny ended before it said where it listens: exit status: 3\nIt last said:\n  no \
                    such flag";
    assert_eq!(ended, expected);
    let silent = refused("echo starting >&2; exec sleep 60", Duration::from_millis(300)).await;
    let expected = "the provider example/tiny did not say within 0.3 s where it listens\nIt last said:\n  starting";
    assert_eq!(silent, expected);
    let other = refused("echo hello; exec sleep 60", LIMIT).await;
    let expected =
        "the provider example/tiny is no plugin that we can talk to: its first line is \"hello\", not where it listens";
    assert_eq!(other, expected);
    let nobody = refused("echo '1|6|unix|/nowhere/socket|grpc|'; exec sleep 60", LIMIT).await;
    assert!(nobody.starts_with("cannot connect to the provider example/tiny: "), "{nobody}");
    assert!(nobody.contains("No such file or directory"), "{nobody}");
    let missing = launch(options("/nowhere/terraform-provider-x")).await.err().unwrap();
    assert!(matches!(missing, LaunchError::NotStarted { .. }));
    let expected = "cannot start the provider example/tiny (/nowhere/terraform-provider-x): No such file or directory";
    assert!(missing.to_string().starts_with(expected), "{missing}");
}

#[tokio::test]
async fn a_program_that_is_still_being_written_is_started_a_little_later() {
    let directory = tempfile::tempdir().unwrap();
    let being_written = |name: &str| {
        let program = directory.path().join(name);
        std::fs::copy(PROGRAM, &program).unwrap();
        (std::fs::OpenOptions::new().append(true).open(&program).unwrap(), program)
    };
    let (writing, program) = being_written("terraform-provider-x");
    let written = async {
        tokio::time::sleep(Duration::from_millis(60)).await;
        drop(writing);
    };
    let (launched, ()) = soon("launch", async { tokio::join!(launch(options(&program)), written) }).await;
    launched.unwrap();
    let (_writing, program) = being_written("terraform-provider-y");
    let busy = launch(options(&program)).await.err().unwrap().to_string();
    assert!(busy.contains("Text file busy"), "{busy}");
}

#[tokio::test]
async fn its_log_is_in_ours_and_it_ends_with_its_handle() {
    let log = Arc::new(Logged::default());
    let environment = vec![("TF_LOG".into(), "info".into())];
    let started = LaunchOptions { environment, log: Arc::clone(&log) as Arc<dyn LogSink>, ..options(PROGRAM) };
    let provider = soon("launch", launch(started)).await.unwrap();
    let configured = ConfigureProviderRequest { terraform_version: "1.2.3".to_owned(), ..Default::default() };
    let empty = Value::object([("endpoint", Value::list(Type::object([("url", Type::String)]), []))]);
    let configured = ConfigureProviderRequest { config: empty.into(), ..configured };
    provider.configure_provider(&Call::new(), configured).await.unwrap();
    let logged = async {
        while !log.0.lock().unwrap().iter().any(|line| line.starts_with("Info configured")) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("a line of the log", logged).await;
    let id = rustix::process::Pid::from_raw(provider.process_id().unwrap() as i32).unwrap();
    drop(provider);
    let gone = async {
        while rustix::process::test_kill_process(id).is_ok() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("its end", gone).await;
}
