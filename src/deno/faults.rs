//! What goes wrong on its own: processes that are killed, full disks, floods. After each: a clear error, and nothing lost
//! or left.

use super::testing::Bench;
use super::testing::server::{Reply, Server};
use super::{CallOptions, Limits, LogLevel, ScriptSpec};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

fn limits() -> Limits {
    Limits { call: Some(Duration::from_secs(60)), ..Limits::default() }
}

fn permitted(mut spec: ScriptSpec) -> ScriptSpec {
    spec.permissions.all = true;
    spec
}

async fn call(bench: &Bench, spec: &ScriptSpec, method: &str) -> Result<Value, String> {
    let outcome = bench.pool.call(spec, method, &json!({}), &CallOptions::default()).await;
    outcome.map_err(|error| error.to_string())
}

async fn gone(id: &Value) {
    let place = format!("/proc/{id}");
    for _ in 0..500 {
        if !Path::new(&place).exists() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("process {id} is still there");
}

const DIE: &str = "Deno.kill(Deno.pid, \"SIGKILL\");";

#[tokio::test]
async fn killed_while_it_starts() {
    let bench = Bench::new(limits());
    let spec = permitted(bench.raw_script(&format!("{DIE}\nawait new Promise(() => {{}});\n")));
    let error = call(&bench, &spec, "create").await.unwrap_err();
    insta::assert_snapshot!(error, @r#"
    Script script.ts did not start: It ended with signal 9 before it answered the first message, "health".
    "#);
    assert_eq!(bench.pool.process_count(), 0);
}

#[tokio::test]
async fn killed_during_a_call_while_idle_and_while_it_ends() {
    let bench = Bench::new(limits());
    let dies =
        format!("case \"create\": {DIE} return;\ncase \"last\": globalThis.dies = true; return {{ pid: Deno.pid }};");
    let spec = permitted(bench.script(&dies));
    insta::assert_snapshot!(call(&bench, &spec, "create").await.unwrap_err(), @r#"
    Script script.ts ended without an answer: It ended with signal 9 during "create".
    "#);
    let first = call(&bench, &spec, "pid").await.unwrap()["pid"].clone();
    let process = rustix::process::Pid::from_raw(first.as_i64().unwrap() as i32).unwrap();
    rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
    gone(&first).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let second = call(&bench, &spec, "pid").await.unwrap()["pid"].clone();
    assert_ne!(first, second);
    let at_the_end = bench.script(&format!("case \"shutdown\": {DIE} return;"));
    let third = call(&bench, &permitted(at_the_end), "pid").await.unwrap()["pid"].clone();
    bench.pool.shutdown().await;
    gone(&second).await;
    gone(&third).await;
    let warnings = bench.log.at(LogLevel::Warning);
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[tokio::test]
async fn what_it_has_started_ends_with_it() {
    let bench = Bench::new(limits());
    let forks = "case \"fork\": return { pid: new Deno.Command(\"sleep\", { args: [\"600\"] }).spawn().pid };";
    let spec = permitted(bench.script(forks));
    // It holds the pipes of the script, which then never come to their ends by themselves.
    let child = call(&bench, &spec, "fork").await.unwrap()["pid"].clone();
    bench.pool.shutdown().await;
    gone(&child).await;
}

#[tokio::test]
async fn floods_on_both_outputs_and_the_answer_behind_them() {
    let bench = Bench::new(limits());
    let flood = r#"
    case "create": {
      const line = new TextEncoder().encode("noise ".repeat(1000) + "\n");
      for (let count = 0; count < 2000; count++) {
        Deno.stdout.writeSync(line);
        Deno.stderr.writeSync(line);
      }
      return { id: "made" };
    }"#;
    let spec = bench.script(flood);
    assert_eq!(call(&bench, &spec, "create").await.unwrap(), json!({ "id": "made" }));
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn an_answer_of_a_hundred_megabytes() {
    let bench = Bench::new(limits());
    let spec = bench.script("case \"create\": return { id: \"made\", state: { text: \"x\".repeat(100_000_000) } };");
    let answer = call(&bench, &spec, "create").await.unwrap();
    assert_eq!(answer["state"]["text"].as_str().map(str::len), Some(100_000_000));
    call(&bench, &spec, "pid").await.unwrap();
    bench.pool.shutdown().await;
}

#[tokio::test]
async fn a_damaged_answer_to_shutdown_is_nobodys_business() {
    let bench = Bench::new(limits());
    let spec =
        bench.script("case \"shutdown\": write('{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":oh}\\n'); Deno.exit(0);");
    call(&bench, &spec, "pid").await.unwrap();
    bench.pool.shutdown().await;
    assert!(bench.log.at(LogLevel::Warning).is_empty(), "{:?}", bench.log.at(LogLevel::Warning));
    assert!(bench.log.at(LogLevel::Debug).iter().any(|line| line.contains("is damaged")));
}

/// A script that ends its call "wait" when it is told that nobody waits for it.
fn cancellable(bench: &Bench, health: &str) -> ScriptSpec {
    let script = include_str!("testdata/server.ts").replace("{ ok: true }", health);
    let waits = "case \"wait\": return await new Promise((done) => (globalThis as any).told = (which: any) => done({ told: which === id }));";
    let script = script.replace("/* CASES */", waits);
    let notices =
        "if (method === \"$/cancelRequest\") { (globalThis as any).told(params.id); continue; }\n    call(id,";
    bench.raw_script(&script.replace("call(id, method, params).then", &format!("{notices} method, params).then")))
}

#[tokio::test]
async fn a_script_that_wants_to_know_is_told_of_a_cancellation_and_may_still_answer() {
    for health in ["{ ok: true, cancel: true }", "{ ok: true, cancel: true, concurrent: true }"] {
        let bench = Bench::new(limits());
        let spec = cancellable(&bench, health);
        let options =
            CallOptions { cancel: CancellationToken::new(), grace: Duration::from_secs(20), ..CallOptions::default() };
        let cancel = options.cancel.clone();
        let params = json!({});
        // What is to be cancelled is the call, and not the start.
        call(&bench, &spec, "pid").await.unwrap();
        let (answer, ()) = tokio::join!(bench.pool.call(&spec, "wait", &params, &options), async {
            tokio::time::sleep(Duration::from_millis(500)).await;
            cancel.cancel();
        });
        assert_eq!(answer.unwrap(), json!({ "told": true }), "{health}");
        bench.pool.shutdown().await;
    }
}

#[tokio::test]
async fn a_script_that_does_not_want_to_know_is_not_told() {
    let bench = Bench::new(limits());
    let spec = cancellable(&bench, "{ ok: true }");
    let options = CallOptions { grace: Duration::from_millis(300), ..CallOptions::default() };
    let cancel = options.cancel.clone();
    let params = json!({});
    let (answer, ()) = tokio::join!(bench.pool.call(&spec, "wait", &params, &options), async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        cancel.cancel();
    });
    assert!(answer.unwrap_err().is_cancelled());
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_script_that_finds_the_disk_full_says_so_and_goes_on() {
    let bench = Bench::new(limits());
    let writes = "case \"create\": Deno.writeTextFileSync(\"/dev/full\", \"x\"); return { id: \"made\" };";
    let spec = permitted(bench.script(writes));
    insta::assert_snapshot!(call(&bench, &spec, "create").await.unwrap_err(), @r#"
    Script script.ts reported an error: "create" failed: No space left on device (os error 28): writefile '/dev/full' (code -32603)
    "#);
    call(&bench, &spec, "pid").await.unwrap();
    bench.pool.shutdown().await;
}

/// Sixteen scripts start at once, each in several processes; every one is answered, and none is left.
#[tokio::test]
async fn sixteen_cold_starts_at_once() {
    let bench = Bench::new(limits());
    let script = include_str!("testdata/server.ts");
    let specs: Vec<_> = (0..16)
        .map(|index| {
            let name = format!("script{index}.ts");
            std::fs::write(bench.folder.path().join(&name), script).unwrap();
            ScriptSpec { script: name, ..bench.spec() }
        })
        .collect();
    let answers = futures::future::join_all(specs.iter().map(|spec| call(&bench, spec, "pid"))).await;
    let mut ids: Vec<Value> = answers.into_iter().map(|answer| answer.unwrap()["pid"].clone()).collect();
    bench.pool.shutdown().await;
    for id in &ids {
        gone(id).await;
    }
    ids.sort_by_key(Value::as_i64);
    ids.dedup();
    assert_eq!(ids.len(), 16);
    assert!(bench.log.at(LogLevel::Warning).is_empty(), "{:?}", bench.log.at(LogLevel::Warning));
}

/// In the run of a test that [`with_full_disk`] starts, the folder that it may use.
const FULL_DISK: &str = "DENOBRIDGE_TEST_FULL_DISK";

/// Runs a test again where no file can grow beyond 512 bytes, as on a disk that is full.
fn with_full_disk(test: &str, folder: &Path) {
    // The signal would end the process before it could see the error.
    let command = format!("trap '' XFSZ; ulimit -f 1; exec \"$0\" --exact deno::faults::{test}");
    let output = std::process::Command::new("sh")
        .args(["-c", &command])
        .arg(std::env::current_exe().unwrap())
        .env(FULL_DISK, folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[tokio::test]
async fn a_full_disk_leaves_nothing_half() {
    use super::install::{Cache, Installer, Source};
    let Some(folder) = std::env::var_os(FULL_DISK) else {
        return with_full_disk("a_full_disk_leaves_nothing_half", tempfile::tempdir().unwrap().path());
    };
    let folder = Path::new(&folder);
    let server = Server::start(|asked| match asked.path.ends_with(".sha256sum") {
        true => Reply::Text(200, "0".repeat(64)),
        false => Reply::Text(200, "x".repeat(100_000)),
    })
    .await;
    let installer = Installer::new(Source::Mirror { base: server.address.clone() }, Cache::new(folder)).unwrap();
    let wish = super::VersionWish::parse(Some("2.1.4")).unwrap();
    let error = installer.install(&wish, Duration::from_secs(30)).await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("archive.zip") && text.contains("File too large"), "{text}");
    assert!(error.advice().contains("DENOBRIDGE_CACHE"), "{}", error.advice());
    let left: Vec<_> = std::fs::read_dir(folder.join("deno")).unwrap().flatten().map(|e| e.file_name()).collect();
    assert_eq!(left, ["v2.1.4.lock"]);
}

/// Calls a script that Deno has to download first, with its cache in a folder.
async fn call_downloaded(cache: &Path) -> Result<Value, String> {
    let bench = Bench::new(limits());
    let server = Server::start(|_| Reply::Text(200, include_str!("testdata/server.ts").to_owned())).await;
    let mut spec = permitted(ScriptSpec { script: format!("{}/script.ts", server.address), ..bench.spec() });
    spec.environment = [("DENO_DIR", cache.as_os_str()), ("RUST_BACKTRACE", "0".as_ref())]
        .map(|(name, value)| (name.into(), value.to_owned()))
        .into();
    let answer = call(&bench, &spec, "pid").await;
    bench.pool.shutdown().await;
    answer.map_err(|error| error.replace(&server.address, "[SERVER]"))
}

#[tokio::test]
async fn deno_without_room_for_downloads_says_so_and_goes_on_when_there_is_some() {
    let Some(folder) = std::env::var_os(FULL_DISK) else {
        let folder = tempfile::tempdir().unwrap();
        with_full_disk("deno_without_room_for_downloads_says_so_and_goes_on_when_there_is_some", folder.path());
        call_downloaded(folder.path()).await.unwrap();
        return;
    };
    let error = call_downloaded(Path::new(&folder)).await.unwrap_err();
    assert!(error.starts_with("Script [SERVER]/script.ts did not start: It ended with exit code 1"), "{error}");
    assert!(error.contains("File too large (os error 27)"), "{error}");
    assert!(
        error.ends_with(
            "There is no room left where Deno keeps what it downloads. Make room there, or have the environment variable \
             DENO_DIR name a folder on another disk, and run the same command again."
        ),
        "{error}"
    );
}

#[tokio::test]
async fn a_script_of_this_machine_needs_no_room() {
    if std::env::var_os(FULL_DISK).is_none() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("script.ts"), include_str!("testdata/server.ts")).unwrap();
        return with_full_disk("a_script_of_this_machine_needs_no_room", folder.path());
    }
    let folder = std::env::var(FULL_DISK).unwrap();
    let bench = Bench::new(limits());
    let script = format!("{folder}/script.ts");
    let mut spec = ScriptSpec { script, ..bench.spec() };
    spec.environment = vec![("DENO_DIR".into(), format!("{folder}/cache").into())];
    call(&bench, &spec, "pid").await.unwrap();
    bench.pool.shutdown().await;
}
