//! What can go wrong with a script, in words that a user can act on.
//!
//! Each error has three parts, made to go into a diagnostic: [`summary`](ScriptError::summary) (what failed),
//! [`detail`](ScriptError::detail) (what was seen, what the script said) and [`advice`](ScriptError::advice) (what to do).
//! Which resource and which operation it was is for the caller to add. Texts from the script have had the secrets of the
//! call taken out.

mod advice;

use super::find::FindError;
use super::http::UnknownTransport;
use super::message::{METHOD_NOT_FOUND, RpcError};
use super::permission::Denied;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::time::Duration;

/// A call to a script that gave no result. Displayed as all its parts.
#[derive(Debug, Clone, thiserror::Error)]
pub struct ScriptError {
    /// The script as the user wrote it.
    pub script: String,
    /// What was called; absent when the script did not get as far.
    pub method: Option<String>,
    /// What happened.
    pub kind: ScriptErrorKind,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum ScriptErrorKind {
    /// There is no Deno to run it with.
    Deno(Box<FindError>),
    /// No file is at the script's path.
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// The operating system did not start Deno, or a path is unusable.
    NotStarted {
        /// The Deno executable.
        program: PathBuf,
        /// The operating system's words.
        reason: String,
    },
    /// The script's path is that of a folder.
    Folder {
        /// Which.
        path: PathBuf,
    },
    /// No script is named.
    NoPath,
    /// The component's `transport` is none.
    UnknownTransport(UnknownTransport),
    /// The script's or the configuration file's path makes no sense.
    UnusablePath {
        /// Why.
        reason: String,
    },
    /// The process ended before it answered `health`.
    EndedAtStart {
        /// How it ended.
        exit: Exit,
        /// What it wrote.
        output: Box<Output>,
    },
    /// `health` was not answered in time.
    StartTimeout {
        /// [`Limits::start`](super::Limits::start).
        limit: Duration,
        /// What it wrote.
        output: Box<Output>,
    },
    /// `health` was answered with something else than `{"ok": true}`.
    NotHealthy {
        /// The answer.
        answer: String,
    },
    /// `GET /health` was answered with another status than 200 or 204.
    NotServing {
        /// Which.
        status: u16,
    },
    /// The script did not take its configuration.
    NotConfigured {
        /// What came of `configure`.
        reason: Box<ScriptErrorKind>,
    },
    /// The process ended during the call.
    Ended {
        /// How it ended.
        exit: Exit,
        /// What it wrote.
        output: Box<Output>,
        /// An answer that had begun.
        unfinished: Option<Box<Begun>>,
    },
    /// The script closed its standard output and went on without it.
    OutputClosed {
        /// What it wrote.
        output: Box<Output>,
    },
    /// The call was not answered in time.
    CallTimeout {
        /// The limit.
        limit: Duration,
        /// Whether the limit came with the call, instead of being [`Limits::call`](super::Limits::call).
        of_call: bool,
        /// Whether it had been cancelled before, and this was the time that it had left.
        cancelled: bool,
        /// What it wrote.
        output: Box<Output>,
        /// An answer that had begun.
        unfinished: Option<Box<Begun>>,
    },
    /// The script answered with an error.
    Refused {
        /// The answer's error object.
        error: Box<RpcError>,
        /// The uncaught error from the script's stderr, when the answer says no more than "Internal error".
        uncaught: Option<String>,
    },
    /// Deno did not let the script do something.
    PermissionDenied {
        /// The permission that is missing.
        denied: Box<Denied>,
        /// Deno's words.
        message: String,
        /// The object that the answer names all the same.
        object: Option<Box<str>>,
    },
    /// The answer is no JSON.
    BrokenAnswer {
        /// The line on which it stops being JSON.
        line: String,
        /// What is wrong with the line.
        reason: String,
        /// The object that it names before that.
        object: Option<Box<str>>,
    },
    /// The answer is longer than the limit.
    TooLarge {
        /// [`Limits::message_bytes`](super::Limits::message_bytes).
        limit: usize,
        /// The object that it names near its start.
        object: Option<Box<str>>,
    },
    /// The other machine does not let us in.
    NotAdmitted {
        /// HTTP's status.
        status: u16,
    },
    /// Nobody answers at the script's address.
    Unreachable {
        /// Where.
        address: String,
        /// What was tried and what came of it.
        reason: String,
        /// Whether it is on another machine.
        is_remote: bool,
    },
    /// The caller gave up.
    Cancelled {
        /// How long the call was waited for all the same.
        grace: Duration,
    },
    /// The pool has been shut down.
    ShutDown,
}

/// An answer that was not complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    /// Its beginning, without texts.
    pub excerpt: String,
    /// The object that it names.
    pub object: Option<String>,
}

impl ScriptErrorKind {
    /// The `id` in the result of an answer that cannot be read as a whole or says that the call failed: what a `create` has
    /// made all the same.
    pub fn object(&self) -> Option<&str> {
        match self {
            Self::BrokenAnswer { object, .. }
            | Self::TooLarge { object, .. }
            | Self::PermissionDenied { object, .. } => object.as_deref(),
            Self::Refused { error, .. } => error.object.as_deref(),
            Self::Ended { unfinished, .. } | Self::CallTimeout { unfinished, .. } => {
                unfinished.as_ref().and_then(|begun| begun.object.as_deref())
            }
            _ => None,
        }
    }

    /// Whether the script is one of the older contract, which serves HTTP: run as a program it ends at once with success,
    /// and Deno remarks on it.
    pub(super) fn is_http_script(&self) -> bool {
        matches!(self, Self::EndedAtStart { exit: Exit { code: Some(0), .. }, output }
            if output.stderr.iter().any(|line| line.contains("deno serve")))
    }

    /// The same without [`object`](Self::object), for calls that the answer may not be for.
    pub(super) fn without_object(mut self) -> Self {
        match &mut self {
            Self::BrokenAnswer { object, .. } | Self::TooLarge { object, .. } => *object = None,
            Self::Ended { unfinished: Some(begun), .. } | Self::CallTimeout { unfinished: Some(begun), .. } => {
                begun.object = None;
            }
            _ => {}
        }
        self
    }
}

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exit {
    /// The exit code, unless a signal ended it.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
}

impl From<ExitStatus> for Exit {
    fn from(status: ExitStatus) -> Self {
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&status);
        #[cfg(not(unix))]
        let signal = None;
        Self { code: status.code(), signal }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.code, self.signal) {
            (Some(code), _) => write!(formatter, "exit code {code}"),
            (None, Some(signal)) => write!(formatter, "signal {signal}"),
            (None, None) => formatter.write_str("unknown status"),
        }
    }
}

/// The last of what a process wrote beside its answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Output {
    /// Lines of standard error.
    pub stderr: Vec<String>,
    /// Lines of standard output that are no answers.
    pub stdout: Vec<String>,
}

impl Output {
    /// The text of both, indented, for a message; empty when nothing was written.
    pub(crate) fn quoted(&self) -> String {
        let stderr = without_backtrace(&self.stderr);
        let part = |title: &str, lines: &[String]| match lines {
            [] => String::new(),
            lines => format!("\n\n{title}:\n  {}", lines.join("\n  ")),
        };
        part("Its standard error ends with", &stderr) + &part("Beside answers, its standard output has", &self.stdout)
    }
}

/// Without the backtrace of Deno's own code, which RUST_BACKTRACE in the environment adds and no user can read.
fn without_backtrace(lines: &[String]) -> Vec<String> {
    let is_frame = |line: &str| line.split_once(": ").is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok());
    let mut kept = Vec::new();
    let mut in_backtrace = false;
    for line in lines {
        in_backtrace = line == "Stack backtrace:" || (in_backtrace && (is_frame(line) || line.starts_with("      ")));
        if !in_backtrace {
            kept.push(line.clone());
        }
    }
    kept
}

impl ScriptError {
    /// Whether the script says that it does not have the method: how optional methods are found out.
    pub fn is_method_not_found(&self) -> bool {
        matches!(&self.kind, ScriptErrorKind::Refused { error, .. } if error.code == METHOD_NOT_FOUND)
    }

    /// Whether the caller gave up.
    pub fn is_cancelled(&self) -> bool {
        matches!(self.kind, ScriptErrorKind::Cancelled { .. })
    }

    /// What failed, as a title: no full stop.
    pub fn summary(&self) -> String {
        use ScriptErrorKind as Kind;
        let script = &self.script;
        match &self.kind {
            Kind::Deno(error) => error.summary().to_owned(),
            Kind::Missing { .. } => format!("Script {script} does not exist"),
            Kind::NoPath => "No script is named".to_owned(),
            Kind::UnknownTransport(_) => "Unknown transport".to_owned(),
            Kind::UnusablePath { .. } => format!("Script {script:?} is not a usable path"),
            Kind::NotStarted { .. }
            | Kind::EndedAtStart { .. }
            | Kind::StartTimeout { .. }
            | Kind::NotServing { .. }
            | Kind::NotHealthy { .. } => {
                format!("Script {script} did not start")
            }
            Kind::NotConfigured { .. } => format!("Script {script} did not take the provider's configuration"),
            Kind::Ended { .. } => format!("Script {script} ended without an answer"),
            Kind::OutputClosed { .. } => format!("Script {script} closed its output without an answer"),
            Kind::CallTimeout { .. } => format!("Script {script} did not answer in time"),
            Kind::Refused { .. } if self.is_method_not_found() => {
                format!("Script {script} does not implement {}", self.method.as_deref().unwrap_or("the method"))
            }
            Kind::Refused { .. } => format!("Script {script} reported an error"),
            Kind::PermissionDenied { .. } => format!("Script {script} lacks a permission"),
            Kind::BrokenAnswer { .. } => format!("Script {script} gave an answer that is not JSON"),
            Kind::TooLarge { .. } => format!("Script {script} gave an answer that is too large"),
            Kind::Unreachable { .. } => format!("Script {script} cannot be reached"),
            Kind::NotAdmitted { .. } => format!("Script {script} refuses our token"),
            Kind::Folder { .. } => format!("Script {script} is a folder"),
            Kind::Cancelled { .. } => format!("The call to script {script} was cancelled"),
            Kind::ShutDown => format!("Script {script} was not called"),
        }
    }

    /// The same error as one of `configure`.
    fn of_configure(&self, reason: &ScriptErrorKind) -> Self {
        Self { script: self.script.clone(), method: Some("configure".to_owned()), kind: reason.clone() }
    }

    /// What was seen.
    pub fn detail(&self) -> String {
        use ScriptErrorKind as Kind;
        let method = self.method.as_deref().unwrap_or("health");
        match &self.kind {
            Kind::Deno(error) => format!("To run {}: {error}.", self.script),
            Kind::Missing { path } => format!("There is no file {}.", path.display()),
            Kind::NoPath => "`path` is empty.".to_owned(),
            Kind::UnknownTransport(unknown) => format!("{unknown}."),
            Kind::UnusablePath { reason } => format!("The path of the script or of its configuration: {reason}."),
            Kind::NotStarted { program, reason } => format!("Could not run {}: {reason}.", program.display()),
            Kind::EndedAtStart { exit, output } => {
                format!("It ended with {exit} before it answered the first message, \"health\".{}", output.quoted())
            }
            Kind::StartTimeout { limit, output } => {
                format!("It did not answer the first message, \"health\", within {limit:?}.{}", output.quoted())
            }
            Kind::NotHealthy { answer } => {
                format!("It answered the first message, \"health\", with {answer} instead of {{\"ok\": true}}.")
            }
            Kind::NotServing { status } => {
                format!("It answered the first request, GET /health, with status {status} instead of 204.")
            }
            Kind::NotConfigured { reason } => self.of_configure(reason).detail(),
            Kind::Ended { exit, output, unfinished } => {
                format!("It ended with {exit} during \"{method}\".{}{}", begun(unfinished), output.quoted())
            }
            Kind::OutputClosed { output } => {
                format!("It closed its standard output during \"{method}\" and went on running.{}", output.quoted())
            }
            Kind::CallTimeout { limit, output, unfinished, .. } => {
                format!(
                    "\"{method}\" took longer than {limit:?} and was given up.{}{}",
                    begun(unfinished),
                    output.quoted()
                )
            }
            Kind::Refused { error, uncaught } => refused(method, error, uncaught.as_deref()),
            Kind::PermissionDenied { message, .. } => match &self.method {
                Some(method) => format!("During \"{method}\": {message}."),
                None => format!("During its start: {message}."),
            },
            Kind::BrokenAnswer { line, reason, .. } => {
                format!("The answer to \"{method}\" stops being JSON on this line ({reason}):\n  {line}")
            }
            Kind::TooLarge { limit, .. } => {
                format!("The answer to \"{method}\" is longer than the limit of {limit} bytes.")
            }
            Kind::Cancelled { .. } if self.method.is_none() => "It had not been called yet.".to_owned(),
            Kind::Cancelled { grace: Duration::ZERO } => {
                format!("\"{method}\" was still running; whether it took effect is not known.")
            }
            Kind::Cancelled { grace } => {
                format!("\"{method}\" was still running {grace:?} later; whether it took effect is not known.")
            }
            Kind::ShutDown => "The provider is shutting down.".to_owned(),
            Kind::Unreachable { address, reason, .. } => format!("Calling {address} failed: {reason}."),
            Kind::NotAdmitted { status } => format!("Its address answered with status {status}."),
            Kind::Folder { path } => format!("{} is a folder, not a file.", path.display()),
        }
    }
}

fn begun(unfinished: &Option<Box<Begun>>) -> String {
    unfinished.as_ref().map_or_else(String::new, |begun| format!(" Its answer was not complete:\n  {}", begun.excerpt))
}

fn refused(method: &str, error: &RpcError, uncaught: Option<&str>) -> String {
    let message = if error.message.is_empty() { "no message" } else { &error.message };
    let mut text = format!("\"{method}\" failed: {message} (code {})", error.code);
    if let Some(uncaught) = uncaught {
        text.push_str(&format!("\nIts standard error says: {uncaught}"));
    }
    if let Some(data) = &error.data {
        text.push_str(&format!("\nIt adds: {data}"));
    }
    text
}

impl fmt::Display for ScriptError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.summary(), self.detail())?;
        match self.advice() {
            Some(advice) => write!(formatter, "\n\n{advice}"),
            None => Ok(()),
        }
    }
}
