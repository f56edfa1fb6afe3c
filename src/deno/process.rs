//! One running script: started, spoken to over its standard streams, stopped, and always reaped.

mod input;
mod served;
mod shared;
mod tasks;

use super::configure::Configuration;
use super::environment::Inherited;
use super::error::{Exit, ScriptErrorKind};
use super::http::Endpoint;
use super::limits::{Limits, setting};
use super::log::{LogLevel, LogSink};
use super::message::INTERNAL_ERROR;
use super::permission::Denied;
use super::script_log::ScriptLog;
use crate::children::Watcher;
use denobridge_core::mask::Secrets;
use serde_json::{Value, json};
use shared::{InFlight, Shared};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

/// Receives the messages of `invokeProgress`, in order and before the call's answer. Must not block.
pub type ProgressSink = Arc<dyn Fn(String) + Send + Sync>;

/// What comes with a call beside its parameters.
#[derive(Clone, Default)]
pub struct CallOptions {
    /// Gives the call up; its process is then not used again.
    pub cancel: CancellationToken,
    /// How long the call may still take to be answered once it is given up. A call that changes something is not cut off
    /// in the middle: what it has made would be lost.
    pub grace: Duration,
    /// A time limit for this call instead of [`Limits::call`].
    pub time_limit: Option<Duration>,
    /// Where what the script writes during the call goes, instead of [`PoolOptions::log`](super::PoolOptions::log).
    pub log: Option<Arc<dyn LogSink>>,
    /// Where the call's progress goes.
    pub progress: Option<ProgressSink>,
    /// The members of the params for which the user has given nothing. JSON-RPC scripts get the empty object that is there;
    /// scripts of the HTTP contract expect null.
    pub left_out: Vec<&'static str>,
    /// Values that must not show up in logs and errors, whatever the script prints. Those under four bytes are not looked
    /// for: they would black out everything.
    pub secrets: Secrets,
}

impl CallOptions {
    /// Ends when a call is to be waited for no longer because it was cancelled.
    pub(crate) async fn given_up(&self, log: &ScriptLog, method: &str) {
        self.cancel.cancelled().await;
        if !self.grace.is_zero() {
            let grace = self.grace;
            log.write(LogLevel::Info, &format!("cancelled; \"{method}\" has {grace:?} to come to an end"));
            tokio::time::sleep(grace).await;
        }
    }
}

/// What to start.
pub(crate) struct Launch {
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<OsString>,
    pub(crate) working_directory: PathBuf,
    /// What it gets of our own environment.
    pub(crate) inherited: Inherited,
    /// Set on top of it.
    pub(crate) environment: Vec<(OsString, OsString)>,
    /// What the script is told if it wants to be configured.
    pub(crate) configuration: Arc<Configuration>,
}

/// What a script says of itself in its answer to `health`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Announced {
    /// It serves several calls at once.
    concurrent: bool,
    /// It wants to be told the provider's configuration.
    configure: bool,
    /// It wants to be told when a call is given up.
    cancel: bool,
}

impl Announced {
    fn read(answer: &Value) -> Self {
        let says = |member| answer.get(member) == Some(&Value::Bool(true));
        Self { concurrent: says("concurrent"), configure: says("configure"), cancel: says("cancel") }
    }
}

/// How a script is spoken to.
enum Speech {
    /// JSON-RPC over its standard streams.
    Messages,
    /// HTTP, at an address of its own.
    Http { endpoint: Endpoint, longest: usize },
}

/// A script that has answered `health`. Dropping it kills it.
pub(crate) struct Process {
    shared: Arc<Shared>,
    speech: Speech,
    /// From spawning to the answer to `health`.
    pub(crate) start_time: Duration,
    /// Whether the script says that it serves several calls at once: `"concurrent": true` in its answer to `health`.
    pub(crate) concurrent: bool,
    /// How many calls it has been given, `health` and `shutdown` apart.
    calls: AtomicU32,
}

/// What a script is told first: that the lines it prints may say their level.
fn health_params() -> Value {
    json!({ "logLevels": true })
}

/// How long an "Internal error" waits for the line on stderr that says which; the two pipes are not in step.
const UNCAUGHT_WAIT: Duration = Duration::from_millis(500);

impl Process {
    fn new(shared: Arc<Shared>, speech: Speech, announced: Announced, start_time: Duration) -> Self {
        let concurrent = announced.concurrent;
        Self { shared, speech, start_time, concurrent, calls: AtomicU32::new(0) }
    }

    /// Starts Deno and waits for the answer to `health`.
    pub(crate) async fn start(
        launch: Launch,
        limits: &Limits,
        log: ScriptLog,
        watcher: Arc<Watcher>,
    ) -> Result<Self, ScriptErrorKind> {
        let began = Instant::now();
        let shared = spawn(&launch, limits, log, watcher, true).await?;
        // From here on, dropping this kills the process, also when the caller gives up during the start.
        let mut process = Self::new(shared, Speech::Messages, Announced::default(), Duration::ZERO);
        match process.ready(&launch.configuration, limits.start).await {
            Ok(announced) => {
                process.concurrent = announced.concurrent;
                process.shared.tells_cancelled(announced.cancel);
                process.start_time = began.elapsed();
                let ready = format!("ready after {:?}", process.start_time);
                process.shared.log.write_of_process(LogLevel::Debug, &ready);
                process.shared.log.concerns_nobody();
                Ok(process)
            }
            Err(kind) => {
                process.shared.kill();
                process.shared.ended().await;
                Err(kind)
            }
        }
    }

    /// Waits until the script can be called, and returns what it says of itself.
    async fn ready(&self, configuration: &Configuration, limit: Duration) -> Result<Announced, ScriptErrorKind> {
        let announced = self.health(limit).await?;
        self.configure(announced, configuration, limit).await?;
        Ok(announced)
    }

    /// Tells the script the provider's configuration if it wants to know.
    async fn configure(
        &self,
        announced: Announced,
        configuration: &Configuration,
        limit: Duration,
    ) -> Result<(), ScriptErrorKind> {
        if announced.configure {
            let configured = self.call("configure", &configuration.params, &CallOptions::default(), Some(limit)).await;
            configured.map_err(|reason| ScriptErrorKind::NotConfigured { reason: Box::new(reason) })?;
        }
        Ok(())
    }

    async fn health(&self, limit: Duration) -> Result<Announced, ScriptErrorKind> {
        let answer = self.call("health", &health_params(), &CallOptions::default(), Some(limit)).await.map_err(
            |kind| match kind {
                ScriptErrorKind::Ended { exit, output, .. } => ScriptErrorKind::EndedAtStart { exit, output },
                ScriptErrorKind::CallTimeout { limit, output, .. } => ScriptErrorKind::StartTimeout { limit, output },
                other => other,
            },
        )?;
        if answer.get("ok") == Some(&Value::Bool(true)) {
            return Ok(Announced::read(&answer));
        }
        let mut answer = answer.to_string();
        if let Some((cut, _)) = answer.char_indices().nth(200) {
            answer.truncate(cut);
            answer.push('…');
        }
        Err(ScriptErrorKind::NotHealthy { answer })
    }

    /// Calls a method. `default_limit` holds when the options have none.
    ///
    /// When the call is given up, times out, or its future is dropped, the process is marked as used up; one that serves
    /// a single call at a time is killed, for nothing else would stop it.
    pub(crate) async fn call(
        &self,
        method: &str,
        params: &Value,
        options: &CallOptions,
        default_limit: Option<Duration>,
    ) -> Result<Value, ScriptErrorKind> {
        self.shared.log.add_secrets(&options.secrets);
        let mark = self.shared.stderr.mark();
        let limit = options.time_limit.or(default_limit);
        let outcome = match &self.speech {
            Speech::Messages => {
                let (reply, answer) = oneshot::channel();
                let progress = options.progress.clone();
                let call = InFlight::send(&self.shared, method, params, reply, progress, !self.concurrent)?;
                // The sender is dropped with the reason already recorded.
                let answer = async { answer.await.unwrap_or_else(|_| Err(self.shared.why_ended())) };
                self.wait(call, answer, method, options, limit, default_limit).await
            }
            Speech::Http { endpoint, longest } => {
                let call = InFlight::over_http(&self.shared, !self.concurrent);
                let answer = self.request(endpoint, *longest, method, params, options);
                self.wait(call, answer, method, options, limit, default_limit).await
            }
        };
        match outcome {
            Ok(value) => Ok(value),
            Err(kind) => Err(self.explain(kind, mark).await),
        }
    }

    /// Waits for an answer for as long as somebody wants it and it may take.
    async fn wait(
        &self,
        mut call: InFlight<'_>,
        answer: impl Future<Output = Result<Value, ScriptErrorKind>>,
        method: &str,
        options: &CallOptions,
        limit: Option<Duration>,
        default_limit: Option<Duration>,
    ) -> Result<Value, ScriptErrorKind> {
        let given_up = async {
            options.cancel.cancelled().await;
            call.tell_cancelled();
            options.given_up(&self.shared.log, method).await;
        };
        let outcome = tokio::select! {
            biased;
            answer = answer => answer,
            () = given_up => return Err(ScriptErrorKind::Cancelled { grace: options.grace }),
            limit = expiry(limit) => {
                let of_call = Some(limit) != default_limit;
                return Err(self.shared.timed_out(limit, of_call, options.cancel.is_cancelled()));
            }
        };
        call.done();
        outcome
    }

    /// Finds out more about an error: the uncaught exception that a library hides behind "Internal error", and refusals
    /// by Deno's permission check.
    async fn explain(&self, kind: ScriptErrorKind, mark: u64) -> ScriptErrorKind {
        match kind {
            ScriptErrorKind::Refused { error, .. } => {
                let said = match &error.data {
                    Some(data) => format!("{} {data}", error.message),
                    None => error.message.clone(),
                };
                let mut uncaught = None;
                if error.code == INTERNAL_ERROR && error.message == "Internal error" {
                    let line = self.shared.stderr.find_since(mark, uncaught_error);
                    uncaught = tokio::time::timeout(UNCAUGHT_WAIT, line).await.ok();
                }
                let text = uncaught.as_deref().unwrap_or(&said);
                match Denied::find(text) {
                    Some(denied) => {
                        let message = if uncaught.is_some() { text.to_owned() } else { error.message };
                        ScriptErrorKind::PermissionDenied { denied: Box::new(denied), message, object: error.object }
                    }
                    None => ScriptErrorKind::Refused { error, uncaught },
                }
            }
            ScriptErrorKind::Ended { ref output, .. } => {
                let refusal = output.stderr.iter().rev().find_map(|line| {
                    let message = line.strip_prefix("error: Uncaught ")?;
                    let message = message.strip_prefix("(in promise) ").unwrap_or(message);
                    Some((Denied::find(message)?, message.to_owned()))
                });
                match refusal {
                    Some((denied, message)) => {
                        let object = kind.object().map(Into::into);
                        ScriptErrorKind::PermissionDenied { denied: Box::new(denied), message, object }
                    }
                    None => kind,
                }
            }
            other => other,
        }
    }

    /// Counts a call, and says whether the process is there for it.
    ///
    /// Scripts for hosts that start a process for each call may end by themselves after the first one. A call that
    /// reaches such a script while it is ending would fail, and nobody could say whether it was carried out. So before
    /// the second call the process is asked for its health once more: either it answers, or it is gone.
    pub(crate) async fn admit(&self, limit: Duration) -> bool {
        let once = self.calls.fetch_add(1, Ordering::Relaxed) == 1 && matches!(self.speech, Speech::Messages);
        if !once || self.concurrent {
            return true;
        }
        let asked = self.call("health", &health_params(), &CallOptions::default(), Some(limit)).await;
        if let Err(kind) = &asked {
            self.shared.log.write(LogLevel::Debug, &format!("gone after its first call: {kind:?}"));
        }
        self.is_usable()
    }

    /// Serves a call of whoever listens at `caller` from now on. Returns the number to [`release`](Self::release) it by.
    pub(crate) fn serve_for(&self, caller: Option<&Arc<dyn LogSink>>) -> u64 {
        self.shared.log.serve(caller)
    }

    /// That call has ended.
    pub(crate) fn release(&self, number: u64) {
        self.shared.log.release(number, !self.concurrent);
    }

    /// Whether it can take another call.
    pub(crate) fn is_usable(&self) -> bool {
        self.shared.is_usable()
    }

    /// Asks the script to end, and kills it when it does not within `grace`. Returns when it has been reaped.
    ///
    /// A script may answer `shutdown`, exit, or do both in any order; the end of its input is the last hint.
    pub(crate) async fn stop(&self, grace: Duration) {
        self.shared.log.concerns_nobody();
        if matches!(self.speech, Speech::Http { .. }) {
            // That contract knows no other end.
            self.shared.kill();
            self.shared.ended().await;
            self.shared.log.write_of_process(LogLevel::Debug, "ended");
            return;
        }
        let began = Instant::now();
        let (reply, answer) = oneshot::channel();
        self.shared.set_ending();
        match InFlight::send(&self.shared, "shutdown", &json!({}), reply, None, false) {
            Ok(mut call) => {
                // Whatever comes back, the script has heard it.
                tokio::select! {
                    _ = answer => {}
                    () = tokio::time::sleep(grace / 2) => {}
                    _ = self.shared.ended() => {}
                }
                call.done();
                self.shared.close_input();
            }
            // It can no longer be spoken to.
            Err(_) => self.shared.kill(),
        }
        let left = grace.saturating_sub(began.elapsed());
        if tokio::time::timeout(left, self.shared.ended()).await.is_err() {
            self.shared
                .log
                .warn(&format!("did not end within {grace:?} of \"shutdown\" (`{}`) and was killed", setting::STOP));
            self.shared.kill();
        }
        match self.shared.ended().await {
            Exit { code: Some(0), .. } => self.shared.log.write_of_process(LogLevel::Debug, "ended"),
            exit => self.shared.log.write_of_process(LogLevel::Debug, &format!("ended with {exit}")),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.shared.kill();
    }
}

/// Starts Deno, which may speak in `messages` on its standard output, or in lines for the log.
async fn spawn(
    launch: &Launch,
    limits: &Limits,
    log: ScriptLog,
    watcher: Arc<Watcher>,
    messages: bool,
) -> Result<Arc<Shared>, ScriptErrorKind> {
    log.add_secrets(&launch.configuration.secrets);
    let command_line = launch.arguments.join(&OsString::from(" "));
    let starting = format!("starting {} {}", launch.program.display(), command_line.display());
    log.write_of_process(LogLevel::Debug, &starting);
    let mut command = Command::new(&launch.program);
    command
        .args(&launch.arguments)
        .current_dir(&launch.working_directory)
        .stdin(if messages { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    launch.inherited.apply(&mut command);
    command.envs(launch.environment.iter().map(|(name, value)| (name, value)));
    let spawned = crate::children::spawn(command, watcher)
        .await
        .map_err(|error| ScriptErrorKind::NotStarted { program: launch.program.clone(), reason: error.to_string() })?;
    if let Some(error) = &spawned.unwatched {
        log.warn(&format!("what the script starts may outlive the provider: its watcher did not start: {error}"));
    }
    Ok(tasks::attach(spawned, log, limits.message_bytes, messages))
}

/// Ends when the limit has passed, with the limit; never without one.
pub(crate) async fn expiry(limit: Option<Duration>) -> Duration {
    match limit {
        Some(limit) => {
            tokio::time::sleep(limit).await;
            limit
        }
        None => std::future::pending().await,
    }
}

/// What the scripts' library prints for an exception whose message it keeps from the answer.
fn uncaught_error(line: &str) -> Option<String> {
    line.strip_prefix("uncaught error").map(|rest| rest.trim_start_matches([':', ' ']).to_owned())
}
