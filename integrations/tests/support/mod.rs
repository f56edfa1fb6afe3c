//! A client of the fake integration (`fake.rs`), started without what the program around this crate has for that.
#![allow(dead_code)]

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use denobridge_core::call::{LogLevel, LogSink};
use denobridge_integrations::Hook;
use denobridge_integrations::configuration::{Integration, Program};
use denobridge_integrations::process::{Client, Launched, Launcher, Limits, ProcessGroup};
use denobridge_integrations::protocol::{
    Host, HostKind, Initialize, Operation, PROTOCOL_VERSION, Phase, Provider, Run, Stage,
};
use futures::future::BoxFuture;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::{Map, Value as Json, json};

/// The program.
pub const FAKE: &str = env!("CARGO_BIN_EXE_fake-integration");

/// A fake integration with a folder of its own.
pub struct Fake {
    folder: tempfile::TempDir,
    pub log: Arc<Log>,
    pub integration: Integration,
    pub limits: Limits,
}

impl Fake {
    /// One that behaves so (see `fake.rs`), with a time limit that no test should reach.
    pub fn new(on: Json) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("record");
        let behaviour = json!({"record": record, "on": on});
        let command = vec![FAKE.to_owned(), behaviour.to_string()];
        let integration = integration(Program::Command(command), folder.path());
        Self { folder, log: Arc::default(), integration, limits: Limits::default() }
    }

    /// With this time limit for its calls.
    pub fn timeout(mut self, milliseconds: u64) -> Self {
        self.integration.timeout = Duration::from_millis(milliseconds);
        self
    }

    pub fn client(&self) -> Arc<Client> {
        let integration = Arc::new(self.integration.clone());
        Client::new(integration, Arc::new(TestLauncher), hello(), self.limits.clone(), Arc::clone(&self.log) as _)
    }

    pub fn record(&self) -> PathBuf {
        self.folder.path().join("record")
    }

    /// What its processes have read, with a line for the start of each.
    pub fn received(&self) -> Vec<Json> {
        let text = std::fs::read_to_string(self.record()).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The methods that were called, and `started` for each process.
    pub fn methods(&self) -> Vec<String> {
        let of = |line: Json| line["method"].as_str().unwrap_or("started").to_owned();
        self.received().into_iter().map(of).collect()
    }

    /// The numbers of its processes.
    pub fn processes(&self) -> Vec<i32> {
        let number = |line: Json| line["started"].as_i64().and_then(|number| i32::try_from(number).ok());
        self.received().into_iter().filter_map(number).collect()
    }
}

/// Whether any member of the group lives.
pub fn lives(group: i32) -> bool {
    killpg(Pid::from_raw(group), None).is_ok()
}

/// Waits until it is true, for ten seconds at most.
pub async fn eventually(what: &str, is_true: impl Fn() -> bool) {
    for _ in 0..1000 {
        if is_true() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("not after ten seconds: {what}");
}

pub fn integration(program: Program, directory: &Path) -> Integration {
    let settings = Map::from_iter([("strict".to_owned(), Json::Bool(true))]);
    Integration { timeout: Duration::from_secs(30), settings, ..Integration::new("fake", program, directory) }
}

pub fn hello() -> Initialize {
    Initialize {
        core_version: "0.1.0".into(),
        protocol_version: PROTOCOL_VERSION,
        available_hooks: Hook::ALL.iter().copied().filter(|hook| *hook != Hook::PreInvokeAction).collect(),
        host: Host { name: "terraform".into(), version: Some("1.11.4".into()), kind: HostKind::Terraform },
        run: Run {
            id: "run-1".into(),
            seq: 0,
            host: HostKind::Terraform,
            operation: Operation::Unknown,
            stage: Stage::Init,
            pass: 1,
            phase: Phase::Plan,
            workspace: None,
            project: Some("root".into()),
            provider: Some(Provider { address: "registry.terraform.io/hashicorp/time".into(), alias_hint: None }),
        },
        settings: Map::from_iter([("strict".to_owned(), Json::Bool(true))]),
    }
}

/// Starts programs in a group of their own.
pub struct TestLauncher;

impl Launcher for TestLauncher {
    fn launch(&self, integration: Arc<Integration>) -> BoxFuture<'static, io::Result<Launched>> {
        Box::pin(async move {
            let Program::Command(words) = &integration.program else { return Err(io::Error::other("no program")) };
            let mut command = tokio::process::Command::new(&words[0]);
            command.args(&words[1..]).current_dir(&integration.directory).process_group(0).kill_on_drop(true);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let child = command.spawn()?;
            let group = Group(Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap()));
            Ok(Launched { child, group: Box::new(group) })
        })
    }
}

struct Group(Pid);

impl ProcessGroup for Group {
    fn ask_to_end(&self) {
        let _ = killpg(self.0, Signal::SIGTERM);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = killpg(self.0, Signal::SIGKILL);
    }
}

/// What was logged.
#[derive(Default)]
pub struct Log(Mutex<Vec<(LogLevel, String)>>);

impl Log {
    pub fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().iter().map(|(_, line)| line.clone()).collect()
    }

    pub fn has(&self, text: &str) -> bool {
        self.lines().iter().any(|line| line.contains(text))
    }

    pub fn at(&self, level: LogLevel) -> Vec<String> {
        self.0.lock().unwrap().iter().filter(|(of, _)| *of == level).map(|(_, line)| line.clone()).collect()
    }
}

impl LogSink for Log {
    fn enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, _: &[(&str, &str)]) {
        self.0.lock().unwrap().push((level, format!("{module}: {message}")));
    }
}
