//! Whatever kills us, nothing that a script or an integration started is left one second later.
//!
//! This program plays three parts, because a test that is killed cannot look: the test itself, the owner of a pool or of an
//! integration that gets killed, and the watcher that the owner starts (see `children::watch`). What is left is found by a mark in the
//! environment, which every process that comes from the owner inherits.
// A test, though without the harness by which clippy knows one.
#![allow(clippy::unwrap_used, clippy::panic)]

#[cfg(not(target_os = "linux"))]
fn main() {
    // What is looked for is found in /proc.
}

#[cfg(target_os = "linux")]
fn main() {
    denobridge::children::run_if_asked();
    let arguments: Vec<String> = std::env::args().collect();
    match arguments.get(1).map(String::as_str) {
        Some("owner") => linux::own(&arguments[2], arguments[3].as_ref()),
        // What every test program is asked and says, so that a checklist can name this one.
        Some("--list") => println!("children_die: test"),
        _ => {
            linux::test();
            println!("test result: ok. 1 passed");
        }
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use denobridge::children::Watcher;
    use denobridge::deno::{CallOptions, DenoSource, Permissions, Pool, PoolOptions, ScriptSpec};
    use denobridge::integrations::ProcessLauncher;
    use denobridge_core::Call;
    use denobridge_integrations::Hook;
    use denobridge_integrations::configuration::Configuration;
    use denobridge_integrations::process::{Client, Limits};
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    use serde_json::json;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::process::CommandExt;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    const MARK: &str = "DENOBRIDGE_CHILDREN_DIE";

    /// Starts a process which starts others, one of them in a session of its own; answers calls, unless it is told never to
    /// get that far.
    const SCRIPT: &str = r#"
const start = () => new Deno.Command("sh", { args: ["-c", "sleep 600 & setsid sleep 600 & wait"] }).spawn();
if (Deno.env.get("STAGE") === "starting") {
  start();
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}
let rest = "";
for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + text).split("\n");
  rest = lines.pop()!;
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (method === "hang") continue;
    if (method === "start") start();
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result: { ok: true } }));
    if (method === "shutdown") Deno.exit(0);
  }
}
"#;

    /// An integration that starts processes as the script does, and heeds neither a signal nor the end of its input.
    const INTEGRATION: &str = r#"
[[integration]]
name = "stubborn"
command = ["sh", "-c", """
trap '' TERM INT HUP
read -r hello
echo '{"id": 1, "result": {"name": "stubborn", "version": "1", "subscribed_hooks": ["pre-plan"]}}'
sleep 600 & setsid sleep 600 &
wait
"""]
"#;

    fn deno() -> PathBuf {
        let given = std::env::var("DENOBRIDGE_TEST_DENO").ok();
        let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/bin/deno");
        DenoSource { configured: given, variable: None, search_path: std::env::var_os("PATH") }
            .find()
            .or_else(|error| if installed.is_file() { Ok(installed) } else { Err(error) })
            .unwrap_or_else(|error| {
                panic!("{error}: run `cargo xtask tools`, or set DENOBRIDGE_TEST_DENO to the path of a Deno 2")
            })
    }

    /// The part that gets killed, or ends in order at the stage "shutdown". Says "ready" when it has got to its stage.
    #[tokio::main]
    pub(super) async fn own(stage: &str, script: &Path) {
        match stage {
            "integration" => own_integration().await,
            _ => own_script(stage, script).await,
        }
    }

    /// Starts the integration as a provider does.
    async fn own_integration() {
        let configuration = Configuration::parse(Path::new("integrations.toml"), INTEGRATION).unwrap();
        let hello = json!({
            "core_version": "0", "protocol_version": 1, "available_hooks": ["pre_plan_resource"], "settings": {},
            "host": {"name": "terraform", "version": null, "kind": "terraform"},
            "run": {
                "id": "r", "seq": 0, "host": "terraform", "operation": "unknown", "stage": "init", "pass": 1, "phase": "plan",
                "workspace": null, "project": null, "provider": {"address": "a/b/c", "alias_hint": null},
            },
        });
        let launcher = Arc::new(ProcessLauncher::new(Watcher::shared()));
        let hello = serde_json::from_value(hello).unwrap();
        let log = Arc::clone(Call::new().log_sink());
        let client = Client::new(Arc::clone(&configuration.integrations[0]), launcher, hello, Limits::default(), log);
        assert!(client.wants(Hook::PrePlan, None, None).await.unwrap());
        println!("ready");
        tokio::time::sleep(Duration::from_secs(600)).await;
    }

    async fn own_script(stage: &str, script: &Path) {
        let pool = Pool::new(PoolOptions::default());
        let mut spec = ScriptSpec::new(deno(), script.to_str().unwrap());
        spec.permissions = Permissions { all: true, ..Permissions::default() };
        spec.environment = vec![("STAGE".into(), stage.into())];
        let options = CallOptions::default();
        pool.call(&spec, "start", &json!({}), &options).await.unwrap();
        match stage {
            "shutdown" => pool.shutdown().await,
            "watched again" => {
                println!("ready");
                std::io::stdin().read_line(&mut String::new()).unwrap();
                let another = ScriptSpec { configuration_digest: "another".into(), ..spec };
                pool.call(&another, "start", &json!({}), &options).await.unwrap();
                println!("ready");
                tokio::time::sleep(Duration::from_secs(600)).await;
            }
            "calling" => {
                let params = json!({});
                let call = pool.call(&spec, "hang", &params, &options);
                let late = async {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    println!("ready");
                };
                let (result, ()) = tokio::join!(call, late);
                panic!("the call came back: {result:?}");
            }
            _ => {
                println!("ready");
                tokio::time::sleep(Duration::from_secs(600)).await;
            }
        }
    }

    struct Owner {
        process: Child,
        mark: String,
    }

    impl Owner {
        fn start(stage: &str, script: &Path) -> Self {
            let mark = format!("{}-{:?}", std::process::id(), Instant::now());
            let process = Command::new(std::env::current_exe().unwrap())
                .args(["owner", stage, script.to_str().unwrap()])
                .env(MARK, &mark)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .process_group(0)
                .spawn()
                .unwrap();
            Self { process, mark }
        }

        fn wait_ready(&mut self) {
            let mut line = String::new();
            BufReader::new(self.process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
            assert_eq!(line, "ready\n");
        }

        fn id(&self) -> Pid {
            Pid::from_raw(self.process.id() as i32).unwrap()
        }

        /// The processes that come from the owner, itself not counted, with their commands.
        fn descendants(&self) -> Vec<(u32, String)> {
            let wanted = format!("{MARK}={}", self.mark).into_bytes();
            processes()
                .filter(|id| *id != self.process.id())
                .filter(|id| {
                    let environment = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
                    environment.split(|byte| *byte == 0).any(|entry| entry == wanted)
                })
                .map(|id| (id, command(id)))
                .collect()
        }

        /// The watcher, which has no environment: the owner's child with the watcher's argument.
        fn watchers(&self) -> Vec<u32> {
            let parent = format!("PPid:\t{}\n", self.process.id());
            processes()
                .filter(|id| command(*id).contains("__watch"))
                .filter(|id| std::fs::read_to_string(format!("/proc/{id}/status")).is_ok_and(|s| s.contains(&parent)))
                .collect()
        }

        fn wait_for_sleepers(&self) {
            let began = Instant::now();
            while self.descendants().iter().filter(|(_, command)| command.starts_with("sleep")).count() < 2 {
                assert!(began.elapsed() < Duration::from_secs(30), "the script did not start its processes");
                std::thread::sleep(Duration::from_millis(10));
            }
        }

        /// Fails when anything is left after a second; returns how long it took.
        fn assert_nothing_left(&mut self, watchers: &[u32], case: &str) -> Duration {
            let began = Instant::now();
            self.process.wait().unwrap();
            loop {
                let left = self.descendants();
                let watching = watchers.iter().any(|id| command(*id).contains("__watch"));
                if left.is_empty() && !watching {
                    return began.elapsed();
                }
                assert!(began.elapsed() < Duration::from_secs(1), "{case}: left behind: {left:?}, watcher: {watching}");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    fn processes() -> impl Iterator<Item = u32> {
        let entries = std::fs::read_dir("/proc").unwrap();
        entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
    }

    /// Waits until a watcher that has just been started would not be ended by SIGTERM any more.
    fn wait_until_prepared(watcher: u32) {
        let handles_it = || {
            let status = std::fs::read_to_string(format!("/proc/{watcher}/status")).unwrap();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
            u64::from_str_radix(caught.trim(), 16).unwrap() & (1 << (Signal::TERM.as_raw() - 1)) != 0
        };
        let began = Instant::now();
        while !handles_it() {
            assert!(began.elapsed() < Duration::from_secs(30), "the watcher does not get ready");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn command(id: u32) -> String {
        let line = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ")
    }

    pub(super) fn test() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("script.ts");
        std::fs::write(&script, SCRIPT).unwrap();

        let kill_owner: fn(Pid) = |id| kill_process(id, Signal::KILL).unwrap();
        let kill_group: fn(Pid) = |id| kill_process_group(id, Signal::KILL).unwrap();
        let terminate: fn(Pid) = |id| kill_process_group(id, Signal::TERM).unwrap();
        for (how, kill) in [("killed", kill_owner), ("killed as a group", kill_group), ("terminated", terminate)] {
            for stage in ["starting", "idle", "calling", "integration"] {
                let mut owner = Owner::start(stage, &script);
                if stage != "starting" {
                    owner.wait_ready();
                }
                owner.wait_for_sleepers();
                let watchers = owner.watchers();
                assert_eq!(watchers.len(), 1, "one watcher");
                if how == "terminated" {
                    wait_until_prepared(watchers[0]);
                    // As by name: the watcher bears the same one.
                    kill_process(Pid::from_raw(watchers[0] as i32).unwrap(), Signal::TERM).unwrap();
                }
                kill(owner.id());
                let case = format!("{how} while {stage}");
                let took = owner.assert_nothing_left(&watchers, &case);
                println!("test {case} ... ok, gone after {took:?}");
            }
        }

        // At any moment of its first steps, also between the fork and what follows it.
        let mut longest = Duration::ZERO;
        for step in 0..40 {
            let mut owner = Owner::start("starting", &script);
            std::thread::sleep(Duration::from_millis(step * 5));
            let watchers = owner.watchers();
            kill_owner(owner.id());
            longest = longest.max(owner.assert_nothing_left(&watchers, &format!("killed after {} ms", step * 5)));
        }
        println!("test killed at 40 moments of a start ... ok, gone after {longest:?} at most");

        let mut owner = Owner::start("watched again", &script);
        owner.wait_ready();
        let lost = owner.watchers();
        kill_process(Pid::from_raw(lost[0] as i32).unwrap(), Signal::KILL).unwrap();
        writeln!(owner.process.stdin.as_mut().unwrap()).unwrap();
        owner.wait_ready();
        let watchers = owner.watchers();
        assert!(watchers.len() == 1 && watchers != lost, "a new watcher: {watchers:?} after {lost:?}");
        kill_owner(owner.id());
        owner.assert_nothing_left(&watchers, "killed after its watcher");
        println!("test killed after its watcher ... ok");

        let mut owner = Owner::start("shutdown", &script);
        assert!(owner.process.wait().unwrap().success());
        owner.assert_nothing_left(&[], "shut down in order");
        println!("test shut down in order ... ok");
    }
}
