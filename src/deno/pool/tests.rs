//! The pool with real scripts.

use crate::children::{Watcher, WatcherProgram};
use crate::deno::testing::{Bench, Recorded};
use crate::deno::{CallOptions, Configuration, Limits, LogLevel, Pool, PoolOptions, ScriptErrorKind, ScriptSpec};
use denobridge_core::mask::Secrets;
use futures::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

async fn call(bench: &Bench, spec: &ScriptSpec, method: &str, params: Value) -> Value {
    bench.pool.call(spec, method, &params, &CallOptions::default()).await.unwrap_or_else(|error| panic!("{error}"))
}

async fn pid(bench: &Bench, spec: &ScriptSpec) -> u64 {
    call(bench, spec, "pid", json!({})).await["pid"].as_u64().unwrap()
}

fn pids(answers: &[Value]) -> usize {
    answers.iter().map(|answer| answer["pid"].as_u64().unwrap()).collect::<BTreeSet<_>>().len()
}

/// Waits until something holds, for at most five seconds.
async fn eventually(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(5), "never: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn two_hundred_quick_calls_need_one_process() {
    let bench = Bench::new(Limits::default());
    // What is quick is measured by what a start takes: with a slow one, the calls are quick on a busy machine too.
    let slow_start =
        include_str!("../testdata/server.ts").replace("let calls = 0;", "let calls = 0;\nawait sleep(4000);");
    let spec = bench.raw_script(&slow_start);
    let answers = join_all((0..200).map(|_| call(&bench, &spec, "pid", json!({})))).await;
    assert_eq!(pids(&answers), 1);
    assert_eq!(bench.pool.process_count(), 1);
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn a_script_that_ends_after_each_call_is_started_for_each() {
    let bench = Bench::new(Limits::default());
    let spec = bench.script("case \"once\": setTimeout(() => Deno.exit(0)); return { pid: Deno.pid };");
    let mut answers = Vec::new();
    for _ in 0..5 {
        answers.push(call(&bench, &spec, "once", json!({})).await);
        // A call that reaches it while it is ending fails, and rightly so: nobody knows what was done of it.
        eventually("its process ends", || bench.pool.usable_count() == 0).await;
    }
    assert_eq!(pids(&answers), 5);
    bench.pool.shutdown().await;
}

/// A script whose call "meet" takes until as many processes as `count` says are in one.
fn meeting(bench: &Bench) -> ScriptSpec {
    let meets = r#"case "meet": {
      Deno.writeTextFileSync(`here-${Deno.pid}`, "");
      const here = () => [...Deno.readDirSync(".")].filter((entry) => entry.name.startsWith("here-")).length;
      while (here() < params.count) await sleep(20);
      return { pid: Deno.pid };
    }"#;
    let mut spec = bench.script(meets);
    spec.permissions.allow = vec!["read".into(), "write".into()];
    spec
}

#[tokio::test]
async fn ten_slow_calls_run_side_by_side() {
    let bench = Bench::new(Limits::default());
    let spec = meeting(&bench);
    let answers = join_all((0..10).map(|_| call(&bench, &spec, "meet", json!({ "count": 10 })))).await;
    assert_eq!(pids(&answers), 10, "one call at a time per process");
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn no_more_processes_than_the_limit() {
    let bench = Bench::new(Limits { processes: 2, ..Limits::default() });
    let spec = meeting(&bench);
    let answers = join_all((0..6).map(|_| call(&bench, &spec, "meet", json!({ "count": 2 })))).await;
    assert_eq!(pids(&answers), 2);
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn a_concurrent_script_gets_all_calls_at_once() {
    let bench = Bench::new(Limits::default());
    let text = include_str!("../testdata/server.ts").replace("{ ok: true }", "{ ok: true, concurrent: true }");
    let spec = bench.raw_script(&text);
    pid(&bench, &spec).await;
    let began = Instant::now();
    let answers = join_all((0..50).map(|_| call(&bench, &spec, "sleep", json!({ "ms": 1000 })))).await;
    assert_eq!(pids(&answers), 1);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
    // One call that is given up takes nothing from the others.
    let options = CallOptions { time_limit: Some(Duration::from_millis(100)), ..CallOptions::default() };
    let params = json!({ "ms": 500 });
    let (slow, late) =
        tokio::join!(call(&bench, &spec, "sleep", params.clone()), bench.pool.call(&spec, "sleep", &params, &options));
    assert!(slow["pid"].is_u64());
    let late = late.unwrap_err();
    assert!(matches!(late.kind, ScriptErrorKind::CallTimeout { .. }));
    assert_eq!(late.advice().unwrap(), "If the script only needs longer, raise the time limit of this operation.");
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn fresh_scripts_and_different_keys_share_nothing() {
    let bench = Bench::new(Limits::default());
    let spec = bench.script("");
    let first = pid(&bench, &spec).await;
    assert_eq!(pid(&bench, &spec).await, first);
    let other = ScriptSpec { configuration_digest: "other".into(), ..spec.clone() };
    assert_ne!(pid(&bench, &other).await, first);
    let fresh = ScriptSpec { fresh: true, ..spec.clone() };
    assert_ne!(pid(&bench, &fresh).await, pid(&bench, &fresh).await);
    bench.pool.shutdown().await;
    assert_eq!(bench.pool.process_count(), 0);
    let error = bench.pool.call(&spec, "pid", &json!({}), &CallOptions::default()).await.unwrap_err();
    assert!(matches!(error.kind, ScriptErrorKind::ShutDown));
}

#[tokio::test]
async fn an_edited_script_gets_a_new_process_and_running_calls_finish() {
    let bench = Bench::new(Limits::default());
    let spec = bench.script("");
    let first = pid(&bench, &spec).await;
    let slow = call(&bench, &spec, "sleep", json!({ "ms": 800 }));
    let edit = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        bench.script("case \"create\": return \"edited\";");
        call(&bench, &spec, "create", json!({})).await
    };
    let (slow, edited) = tokio::join!(slow, edit);
    assert_eq!(slow["pid"], first);
    assert_eq!(edited, "edited");
    eventually("the old process ends", || bench.pool.process_count() == 1).await;
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn idle_processes_end_with_shutdown() {
    let bench = Bench::new(Limits { idle: Duration::from_millis(200), ..Limits::default() });
    let spec = bench.script("");
    let first = pid(&bench, &spec).await;
    eventually("idle processes end", || bench.pool.process_count() == 0).await;
    eventually("by themselves", || bench.log.at(LogLevel::Debug).contains(&"script.ts: ended".into())).await;
    assert_ne!(pid(&bench, &spec).await, first);
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn a_crash_fails_its_own_call_only() {
    let bench = Bench::new(Limits::default());
    let spec = bench.script("case \"create\": Deno.exit(3);");
    let first = pid(&bench, &spec).await;
    let error = bench.pool.call(&spec, "create", &json!({}), &CallOptions::default()).await.unwrap_err();
    assert!(matches!(error.kind, ScriptErrorKind::Ended { .. }));
    assert_ne!(pid(&bench, &spec).await, first);
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn given_up_calls_take_their_process_with_them() {
    let bench = Bench::new(Limits::default());
    let spec = bench.script("");
    let first = pid(&bench, &spec).await;

    let options = CallOptions::default();
    let params = json!({ "ms": 60_000 });
    let (cancelled, ()) = tokio::join!(bench.pool.call(&spec, "sleep", &params, &options), async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        options.cancel.cancel();
    });
    assert!(cancelled.unwrap_err().is_cancelled());
    let second = pid(&bench, &spec).await;
    assert_ne!(second, first);

    // A caller that drops the future has given up too.
    let dropped = call(&bench, &spec, "sleep", params);
    assert!(tokio::time::timeout(Duration::from_millis(100), dropped).await.is_err());
    assert_ne!(pid(&bench, &spec).await, second);

    for gone in [first, second] {
        let folder = std::path::PathBuf::from(format!("/proc/{gone}"));
        eventually("the process is reaped", || !folder.exists()).await;
    }
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn a_script_that_does_not_start_fails_every_waiting_call_at_once() {
    let bench = Bench::new(Limits::default());
    let spec = bench.raw_script("await new Promise((r) => setTimeout(r, 300)); throw new Error(\"no\");\n");
    let began = Instant::now();
    let options = CallOptions::default();
    let params = json!({});
    let results = join_all((0..50).map(|_| bench.pool.call(&spec, "pid", &params, &options))).await;
    assert!(
        results.iter().all(|result| matches!(result.as_ref().unwrap_err().kind, ScriptErrorKind::EndedAtStart { .. }))
    );
    assert!(began.elapsed() < Duration::from_secs(5));
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn what_a_script_prints_is_logged_at_the_level_that_it_says() {
    let bench = Bench::new(Limits::default());
    let says = r#"case "say": for (const level of ["", "<7>", "<6>", "<4>", "<3>"]) console.error(level + "said"); return {};"#;
    let spec = bench.script(says);
    call(&bench, &spec, "say", json!({})).await;
    bench.pool.shutdown().await;
    for level in [LogLevel::Info, LogLevel::Warning, LogLevel::Error] {
        assert_eq!(bench.log.at(level), ["script.ts: said"], "{level:?}");
    }
    let debug = bench.log.at(LogLevel::Debug);
    assert_eq!(debug.iter().filter(|line| *line == "script.ts: said").count(), 2, "{debug:?}");
}

#[tokio::test]
async fn the_console_of_the_authoring_library_says_levels_and_keeps_off_the_protocol() {
    let bench = Bench::new(Limits::default());
    let library = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("script-sdk/mod.ts");
    let spec = bench.raw_script(&format!(
        r#"import {{ DatasourceProvider }} from "file://{}";
        new DatasourceProvider({{
          read() {{
            console.debug("looking");
            console.log("found %d", 1, {{ a: [1] }});
            console.info({{ b: 2 }});
            console.warn("careful\n  of this");
            console.error(new Error("broken").message);
            return Promise.resolve({{}});
          }},
        }});
        "#,
        library.display()
    ));
    call(&bench, &spec, "read", json!({ "props": {} })).await;
    bench.pool.shutdown().await;
    assert_eq!(bench.log.at(LogLevel::Info), ["script.ts: found 1 { a: [ 1 ] }", "script.ts: { b: 2 }"]);
    assert_eq!(bench.log.at(LogLevel::Warning), ["script.ts: careful", "script.ts:   of this"]);
    assert_eq!(bench.log.at(LogLevel::Error), ["script.ts: broken"]);
    assert!(bench.log.at(LogLevel::Debug).contains(&"script.ts: looking".to_owned()));
}

#[tokio::test]
async fn progress_is_in_order_and_before_the_answer() {
    let bench = Bench::new(Limits::default());
    let spec = bench.script(
        "case \"invoke\":
           for (let i = 0; i < 100; i++) send({ method: \"invokeProgress\", params: { message: `step ${i}` } });
           send({ id: \"a\", method: \"invokeProgress\", params: { message: \"asked\" } });
           send({ id: \"b\", method: \"unknown\" });
           send({ method: \"unknown\" });
           return { done: true };",
    );
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let progress: super::super::ProgressSink = Arc::new(move |message| sink.lock().unwrap().push(message));
    let options = CallOptions { progress: Some(progress), ..CallOptions::default() };
    let answer = bench.pool.call(&spec, "invoke", &json!({}), &options).await.unwrap();
    assert_eq!(answer, json!({ "done": true }));
    let mut expected: Vec<String> = (0..100).map(|number| format!("step {number}")).collect();
    expected.push("asked".into());
    assert_eq!(*seen.lock().unwrap(), expected);
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn progress_of_concurrent_calls_goes_by_request_id() {
    let bench = Bench::new(Limits::default());
    let text = include_str!("../testdata/server.ts").replace("{ ok: true }", "{ ok: true, concurrent: true }").replace(
        "/* CASES */",
        "case \"invoke\":
           await sleep(200);
           send({ method: \"invokeProgress\", params: { message: \"lost\" } });
           send({ method: \"invokeProgress\", params: { message: params.name, requestId: id } });
           await sleep(200);
           return null;",
    );
    let spec = bench.raw_script(&text);
    pid(&bench, &spec).await;
    let run = async |name: &str| {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&seen);
        let progress: super::super::ProgressSink = Arc::new(move |message| sink.lock().unwrap().push(message));
        let options = CallOptions { progress: Some(progress), ..CallOptions::default() };
        bench.pool.call(&spec, "invoke", &json!({ "name": name }), &options).await.unwrap();
        seen.lock().unwrap().clone()
    };
    let (one, two) = tokio::join!(run("one"), run("two"));
    assert_eq!((one, two), (vec!["one".to_owned()], vec!["two".to_owned()]));
    assert_eq!(bench.log.at(LogLevel::Info), ["script.ts: lost", "script.ts: lost"]);
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn second_answers_and_unknown_ids_are_ignored_with_a_warning() {
    let bench = Bench::new(Limits::default());
    let spec = bench.script("case \"create\": send({ id, result: 1 }); send({ id: 77, result: 2 }); return 3;");
    assert_eq!(call(&bench, &spec, "create", json!({})).await, json!(1));
    assert_eq!(call(&bench, &spec, "create", json!({})).await, json!(1));
    let warnings = bench.log.at(LogLevel::Warning).join("\n");
    assert!(warnings.contains("id 77,") && warnings.contains("id 1,"), "{warnings}");
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn a_script_that_ignores_shutdown_is_killed_after_the_grace_period() {
    let bench = Bench::new(Limits { stop: Duration::from_millis(300), ..Limits::default() });
    let text = include_str!("../testdata/server.ts").replace("Deno.exit(0)", "setInterval(() => {}, 1000)");
    let spec = bench.raw_script(&text);
    let pid = pid(&bench, &spec).await;
    let began = Instant::now();
    bench.pool.shutdown().await;
    assert!(began.elapsed() < Duration::from_secs(2));
    assert!(!std::path::PathBuf::from(format!("/proc/{pid}")).exists());
    assert!(bench.log.at(LogLevel::Warning).iter().any(|line| line.contains("`stop_timeout`")));
}

#[tokio::test]
async fn the_configuration_beside_the_script_is_found_wherever_we_are() {
    let bench = Bench::new(Limits::default());
    let mut spec = bench.script("case \"create\": return (await import(\"mapped\")).default;");
    let write = |name: &str, text: &str| std::fs::write(bench.folder.path().join(name), text).unwrap();
    write("deno.json", "{\"imports\": {\"mapped\": \"./mapped.ts\"}}");
    write("mapped.ts", "export default \"from the map\";");
    spec.script = bench.folder.path().join("script.ts").to_str().unwrap().into();
    spec.working_directory = Some("/".into());
    // A computed import is a read; a mapped one written as text is part of the module graph.
    spec.permissions.all = true;
    assert_eq!(call(&bench, &spec, "create", json!({})).await, "from the map");
    spec.config_file = Some("/dev/null".into());
    assert!(bench.pool.call(&spec, "create", &json!({}), &CallOptions::default()).await.is_err());
    bench.pool.shutdown().await;
}

/// A bench whose scripts are told a region and a token.
fn configured_bench() -> Bench {
    let mut bench = Bench::new(Limits::default());
    let params = json!({ "config": { "region": "eu" }, "sensitiveConfig": { "token": "canary-token" } });
    let mut secrets = Secrets::default();
    secrets.add_text("canary-token");
    let configuration = Configuration { params, secrets };
    bench.pool = Pool::new(PoolOptions {
        limits: Limits::default(),
        log: bench.log.clone(),
        watcher: Watcher::new(WatcherProgram::None),
        configuration: Arc::new(configuration),
    });
    bench
}

#[tokio::test]
async fn each_process_of_a_script_that_asks_for_it_is_configured_once_before_its_first_call() {
    let bench = configured_bench();
    let spec = bench.script(
        "case \"configure\": told.push(params); return {};
         case \"told\": await sleep(300); return { pid: Deno.pid, told };",
    );
    let text = std::fs::read_to_string(bench.folder.path().join("script.ts")).unwrap();
    let text = text.replace("{ ok: true }", "{ ok: true, configure: true };\nconst told: any[] = []");
    let spec = ScriptSpec { script: bench.raw_script(&text).script, ..spec };
    let answers = join_all((0..4).map(|_| call(&bench, &spec, "told", json!({})))).await;
    for answer in &answers {
        let wanted = json!([{ "config": { "region": "eu" }, "sensitiveConfig": { "token": "canary-token" } }]);
        assert_eq!(answer["told"], wanted);
    }
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn a_script_that_does_not_ask_is_not_configured() {
    let bench = configured_bench();
    let spec = bench.script("case \"configure\": Deno.exit(3);");
    pid(&bench, &spec).await;
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn a_configuration_that_is_refused_is_an_error_without_its_secrets() {
    let bench = configured_bench();
    let text = include_str!("../testdata/server.ts")
        .replace("{ ok: true }", "{ ok: true, configure: true }")
        .replace("/* CASES */", "case \"configure\": throw new Error(`${params.sensitiveConfig.token} has expired`);");
    let spec = bench.raw_script(&text);
    let error = bench.pool.call(&spec, "pid", &json!({}), &CallOptions::default()).await.unwrap_err();
    insta::assert_snapshot!(error, @r#"
    Script script.ts did not take the provider's configuration: "configure" failed: (sensitive) has expired (code -32000)

    The provider's `config` and `sensitive_config` are what scripts are configured with.
    "#);
    bench.pool.shutdown().await;
}

/// A script whose call "say" writes its `text` as a warning, for as long as `ms` says before it answers.
fn talking(bench: &Bench, health: &str) -> ScriptSpec {
    let says = "case \"say\": console.error(`<4>${params.text}`); await sleep(params.ms); return { pid: Deno.pid };";
    bench.raw_script(&bench_script(says).replace("{ ok: true }", health))
}

fn bench_script(cases: &str) -> String {
    include_str!("../testdata/server.ts").replace("/* CASES */", cases)
}

/// Calls "say" and returns the warnings and the remarks on processes that are in the call's own log.
async fn said(bench: &Bench, spec: &ScriptSpec, text: &str, ms: u64) -> (Vec<String>, Vec<String>) {
    let log = Arc::new(Recorded::default());
    let options = CallOptions { log: Some(log.clone()), ..CallOptions::default() };
    bench.pool.call(spec, "say", &json!({ "text": text, "ms": ms }), &options).await.unwrap();
    (log.at(LogLevel::Warning), log.at(LogLevel::Debug))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_script_writes_is_in_the_log_of_its_call() {
    let bench = Bench::new(Limits::default());
    let spec = talking(&bench, "{ ok: true }");
    // One after the other on one process, which answers right after it has written.
    let mut starts = 0;
    for index in 0..50 {
        let (warnings, remarks) = said(&bench, &spec, &format!("quota of {index}"), 0).await;
        assert_eq!(warnings, [format!("script.ts: quota of {index}")]);
        starts += remarks.iter().filter(|line| line.starts_with("script.ts: starting ")).count();
    }
    assert_eq!(starts, 1, "under the call that it was for");
    // Side by side, on a process each or one after the other.
    let texts: Vec<String> = (0..6).map(|index| format!("quota of obj{index}")).collect();
    let logs = join_all(texts.iter().map(|text| said(&bench, &spec, text, 300))).await;
    for (text, (warnings, _)) in texts.iter().zip(logs) {
        assert_eq!(warnings, [format!("script.ts: {text}")]);
    }
    bench.pool.shutdown().await;
    assert_eq!(bench.log.at(LogLevel::Warning), [""; 0]);
}

#[tokio::test]
async fn what_may_be_of_several_calls_is_in_the_log_of_the_provider() {
    let bench = Bench::new(Limits::default());
    let spec = talking(&bench, "{ ok: true, concurrent: true }");
    assert_eq!(said(&bench, &spec, "alone", 0).await.0, ["script.ts: alone"]);
    let slow = said(&bench, &spec, "slow", 1000);
    let quick = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        said(&bench, &spec, "quick", 0).await
    };
    let ((slow, _), (quick, _)) = tokio::join!(slow, quick);
    assert_eq!((slow, quick), (vec!["script.ts: slow".to_owned()], vec![]));
    assert_eq!(bench.log.at(LogLevel::Warning), ["script.ts: quick"]);
    bench.pool.shutdown().await;
}
