//! Deno with `collector.ts`: what it is given, and what it says.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use denobridge_core::Call;
use denobridge_core::call::LogLevel;
use rand::Rng as _;
use serde::Deserialize;
use serde_json::Value as Json;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::ChildStdout;
use tokio::task::JoinHandle;

use super::fingerprint::Graph;
use super::{CollectError, Collector, LIMIT_VARIABLE, Outcome};
use crate::children::{self, Spawned};
use crate::deno::command::ConfigurationFile;
use crate::deno::error::{Exit, Output};
use crate::deno::permission::Denied;
use crate::deno::stderr::{Lines, Tail};

/// The program that asks the scripts, in TypeScript.
const COLLECTOR: &str = include_str!("collector.ts");
/// What a script says of itself is read by editors and code generators, none of which would take more.
const LONGEST: usize = 16 << 20;
/// How much later than the collector itself we take a script to be late: it cannot while the script keeps it busy.
const SLACK: Duration = Duration::from_secs(1);
/// How long to wait for the last words and the end of a Deno that has closed its output.
const END: Duration = Duration::from_secs(1);
/// From where Deno lets any module be imported; naming others replaces them.
/// <https://docs.deno.com/runtime/fundamentals/security/#importing-from-the-web>
const IMPORT_FROM: [&str; 7] = [
    "deno.land:443",
    "jsr.io:443",
    "esm.sh:443",
    "raw.esm.sh:443",
    "cdn.jsdelivr.net:443",
    "raw.githubusercontent.com:443",
    "gist.githubusercontent.com:443",
];

/// A script to ask.
pub(super) struct Script {
    pub(super) file: String,
    pub(super) address: String,
}

/// Scripts that one Deno can ask.
pub(super) struct Round {
    /// Where Deno runs, and begins to look for its configuration.
    pub(super) folder: PathBuf,
    pub(super) scripts: Vec<Script>,
    /// Hosts that scripts come from, whose modules they may import as well.
    pub(super) import_from: Vec<String>,
}

/// What the collector says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Report {
    /// It is at this script.
    Begun(usize),
    /// This script is that.
    Told(usize, Reported),
    Done,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Reported {
    Described(Json),
    Undescribed,
    NotAScript,
    Late,
    Failed(Failure),
}

#[derive(Debug, Deserialize)]
struct Failure {
    message: String,
    at: Option<String>,
}

impl Collector {
    /// Asks all scripts of a round, in their order. A script that ends Deno or keeps it busy is the last that this Deno was
    /// asked; another is started for those behind it.
    pub(super) async fn run(
        &self,
        call: &Call,
        program: &Path,
        graph: &Graph<'_>,
        round: &Round,
    ) -> Result<Vec<Outcome>, CollectError> {
        let mut outcomes = Vec::new();
        while let Some(rest) = round.scripts.get(outcomes.len()..).filter(|rest| !rest.is_empty()) {
            let mut deno = Running::start(self, call, program, graph, round, rest).await?;
            let asked = tokio::select! {
                asked = deno.ask(rest.len(), self.options.limit) => asked,
                () = call.cancellation().cancelled() => return Err(CollectError::Cancelled),
            };
            outcomes.extend(match asked {
                Ok(asked) => asked,
                Err(lost) => lost.told(deno, round, self.options.limit).await?,
            });
        }
        Ok(outcomes)
    }
}

/// A Deno that asks scripts.
struct Running {
    spawned: Spawned,
    reports: Reports<ChildStdout>,
    tail: Arc<Tail>,
    reading: JoinHandle<()>,
}

/// Why a Deno does not go on.
enum Why {
    /// It has ended, or closed its output.
    Ended,
    /// It has said nothing for too long.
    Late,
    /// It has said too much.
    TooLarge,
}

/// A Deno that does not go on, and what it has found out before.
struct Lost {
    why: Why,
    outcomes: Vec<Outcome>,
    /// Whether it was at a script.
    at_script: bool,
}

impl Running {
    async fn start(
        collector: &Collector,
        call: &Call,
        program: &Path,
        graph: &Graph<'_>,
        round: &Round,
        scripts: &[Script],
    ) -> Result<Self, CollectError> {
        let options = &collector.options;
        let not_started =
            |error: std::io::Error| CollectError::NotStarted { program: program.to_owned(), reason: error.to_string() };
        let mut command = Command::new(program);
        command
            .args(arguments(graph.configuration, &round.import_from))
            .current_dir(&round.folder)
            .envs([("NO_COLOR", "1"), ("DENO_NO_UPDATE_CHECK", "1")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let message = format!("asking {} scripts in {} what they are", scripts.len(), round.folder.display());
        call.log(LogLevel::Debug, "collect", &message);
        let mut spawned = children::spawn(command, Arc::clone(&options.watcher)).await.map_err(not_started)?;
        let mark = format!("{:032x} ", rand::rng().random::<u128>());
        let text = module(&mark, options.limit, scripts);
        let (stdin, stdout) = (spawned.child.stdin.take(), spawned.child.stdout.take());
        if let Some(mut stdin) = stdin {
            // Apart, since nothing else ends the wait for a Deno that does not read. One that ends before it has read all of
            // it says why.
            tokio::spawn(async move { stdin.write_all(text.as_bytes()).await });
        }
        let tail = Arc::new(Tail::default());
        let reading = tokio::spawn(keep(spawned.child.stderr.take(), Arc::clone(&tail)));
        let reports = Reports { output: stdout, mark, line: Vec::new(), rest: Vec::new() };
        Ok(Self { spawned, reports, tail, reading })
    }

    /// What the scripts are, of which there are `count`.
    async fn ask(&mut self, count: usize, limit: Duration) -> Result<Vec<Outcome>, Lost> {
        let mut outcomes = Vec::new();
        let mut at_script = false;
        while outcomes.len() < count {
            let lost = match tokio::time::timeout(limit + SLACK, self.reports.next()).await {
                Ok(Ok(Report::Begun(begun))) => {
                    at_script = begun == outcomes.len();
                    continue;
                }
                Ok(Ok(Report::Told(index, outcome))) if index == outcomes.len() => {
                    at_script = false;
                    outcomes.push(told(outcome, limit));
                    continue;
                }
                Ok(Ok(Report::Done | Report::Told(..)) | Err(Why::Ended)) => Why::Ended,
                Ok(Err(why)) => why,
                Err(_) => Why::Late,
            };
            return Err(Lost { why: lost, outcomes, at_script });
        }
        Ok(outcomes)
    }

    /// Ends it, if need be, and tells how it ended and what it said.
    async fn end(mut self) -> (Exit, Output) {
        let status = match tokio::time::timeout(END, self.spawned.child.wait()).await {
            Ok(status) => status.map_or(Exit { code: None, signal: None }, Exit::from),
            Err(_) => Exit { code: None, signal: None },
        };
        self.spawned.group.kill();
        let _ = tokio::time::timeout(END, &mut self.reading).await;
        (status, Output { stderr: self.tail.all(), stdout: Vec::new() })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

impl Lost {
    /// What that says of the script that it was at; an error where it was at none.
    async fn told(self, deno: Running, round: &Round, limit: Duration) -> Result<Vec<Outcome>, CollectError> {
        let Self { why, mut outcomes, at_script } = self;
        if !matches!(why, Why::Ended) {
            deno.spawned.group.kill();
        }
        let place = round.folder.display().to_string();
        let (exit, output) = deno.end().await;
        let output = Box::new(output);
        // Between two scripts it does nothing; what was left running by those that it has asked ended it.
        if !at_script && outcomes.is_empty() {
            return Err(match why {
                Why::Late => CollectError::Late { place, limit, output },
                Why::Ended | Why::TooLarge => CollectError::Ended { place, exit, output },
            });
        }
        if at_script {
            outcomes.push(Outcome::Failed(match why {
                Why::Ended => format!("Deno ended with {exit} while it was asked what it is{}", output.quoted()),
                Why::Late => format!("{}; it keeps Deno busy all the time{}", late(limit), output.quoted()),
                Why::TooLarge => format!("its answer to `schema` is longer than the limit of {LONGEST} bytes"),
            }));
        }
        Ok(outcomes)
    }
}

fn arguments(configuration: &ConfigurationFile, import_from: &[String]) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = ["run", "-q", "--no-prompt"].map(Into::into).into();
    arguments.extend(configuration.arguments());
    if !import_from.is_empty() {
        let hosts: Vec<&str> = IMPORT_FROM.into_iter().chain(import_from.iter().map(String::as_str)).collect();
        arguments.push(format!("--allow-import={}", hosts.join(",")).into());
    }
    arguments.push("-".into());
    arguments
}

/// The collector with its work.
fn module(mark: &str, limit: Duration, scripts: &[Script]) -> String {
    let quoted = |text: &str| Json::from(text).to_string();
    let scripts = scripts.iter().map(|script| {
        let address = quoted(&script.address);
        format!("  {{ address: {address}, load: () => import({address}) }},\n")
    });
    let scripts: String = scripts.collect();
    format!("{COLLECTOR}\nawait collectAll({}, {}, [\n{scripts}]);\n", quoted(mark), limit.as_millis())
}

/// Keeps the last of what Deno says for errors; the pipe must not become full.
async fn keep(stderr: Option<impl AsyncRead + Unpin>, tail: Arc<Tail>) {
    let Some(mut stderr) = stderr else { return };
    let (mut lines, mut chunk) = (Lines::default(), vec![0; 16 << 10]);
    while let Ok(count @ 1..) = stderr.read(&mut chunk).await {
        lines.push(&chunk[..count]).into_iter().for_each(|line| tail.push(line));
    }
    lines.finish().into_iter().for_each(|line| tail.push(line));
}

/// The reports in an output, in which scripts may write as well.
struct Reports<R> {
    output: Option<R>,
    /// What a report begins with.
    mark: String,
    line: Vec<u8>,
    rest: Vec<u8>,
}

impl<R: AsyncRead + Unpin> Reports<R> {
    async fn next(&mut self) -> Result<Report, Why> {
        loop {
            while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                self.line.extend(self.rest.drain(..=end));
                let line = std::mem::take(&mut self.line);
                let report = line.strip_prefix(self.mark.as_bytes()).map(serde_json::from_slice);
                if let Some(Ok(report)) = report {
                    return Ok(report);
                }
            }
            self.line.append(&mut self.rest);
            if self.line.len() > LONGEST {
                return Err(Why::TooLarge);
            }
            let Some(output) = &mut self.output else { return Err(Why::Ended) };
            let count = output.read_buf(&mut self.rest).await.unwrap_or(0);
            if count == 0 {
                return Err(Why::Ended);
            }
        }
    }
}

fn told(reported: Reported, limit: Duration) -> Outcome {
    match reported {
        Reported::Described(answer) => match serde_json::from_value(answer) {
            Ok(description) => Outcome::Described(Box::new(description)),
            Err(error) => Outcome::Failed(format!("its answer to `schema` is no description: {error}")),
        },
        Reported::Undescribed => Outcome::Undescribed,
        Reported::NotAScript => Outcome::NotAScript,
        Reported::Late => Outcome::Failed(format!(
            "{}. Check that it answers `health` and `schema`, and that loading it comes to an end",
            late(limit)
        )),
        Reported::Failed(failure) => Outcome::Failed(why(&failure)),
    }
}

fn late(limit: Duration) -> String {
    format!("it did not say what it is within {limit:?} (environment variable {LIMIT_VARIABLE}, in seconds)")
}

fn why(failure: &Failure) -> String {
    let place = failure.at.as_ref().map(|at| format!("\n  at {at}")).unwrap_or_default();
    match Denied::find(&failure.message) {
        Some(denied) if denied.permission == "import" => format!(
            "it imports code from {}, from where Deno loads none by itself{place}",
            denied.target.as_deref().unwrap_or("another host"),
        ),
        Some(denied) => format!(
            "it needs the permission `{}` while it is loaded{place}\nScripts are asked what they are without any permission, so \
             what needs one must not stand outside of functions: do it in the methods that need it",
            denied.allow_entry(),
        ),
        // Deno's own errors of loading say it themselves.
        None if failure.at.as_ref().is_some_and(|at| failure.message.contains(at.as_str())) => failure.message.clone(),
        None => format!("{}{place}", failure.message),
    }
}
