//! What provider processes and the program around a run say to each other: one JSON object a line, in both directions.
//!
//! The first line is a [`Hello`], answered with [`ToProvider::Welcome`]. Requests have numbers, which answers repeat; they may be
//! answered in any order.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use denobridge_core::call::LogLevel;
use denobridge_core::{Diagnostic, Diagnostics, Severity};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::Hook;
use crate::configuration::{Configuration, Dynamic, FailMode, Integration, Values};
use crate::engine::Outcome;
use crate::protocol::{Action, Counts, Host, Run};
use crate::redaction::Secret;

/// The form of these messages. Another program has another number, and neither understands the other.
pub(super) const FORM: u32 = 2;

/// The longest line in either direction, in bytes: an event of the longest line to an integration, in each of several views.
pub(super) const LONGEST: usize = 128 << 20;

/// How many secrets are told in a line.
pub(super) const SECRETS_A_LINE: usize = 500;

/// How long who has connected may take to say who it is.
pub(super) const HELLO_LIMIT: Duration = Duration::from_secs(10);

/// How often the wrapper says that it is there.
pub(super) const BEAT: Duration = Duration::from_secs(1);

/// From a provider process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToWrapper {
    Hello(Hello),
    /// What must not be shown from now on.
    Secrets(Vec<Secret>),
    Ask(Box<Ask>),
    Stage(Box<StageAsk>),
    /// Something is about to be changed: the plan is complete.
    Changes {
        id: u64,
    },
    /// Nobody waits for the answer any more.
    Cancel {
        id: u64,
    },
    /// The host was asked to stop.
    Interrupt,
}

/// To a provider process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ToProvider {
    Welcome,
    /// Nothing can be asked, and why.
    Refused(String),
    /// A line for the log of a request, or of the process.
    Log {
        id: Option<u64>,
        level: Level,
        module: String,
        message: String,
    },
    Answer(Answer),
    /// Still there.
    Beat,
}

/// Who connects.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Hello {
    pub(super) form: u32,
    pub(super) token: String,
    /// Tells the host's process from others of the run; none where processes do not know their parents.
    pub(super) process: Option<String>,
    pub(super) terms: Terms,
}

/// A question about an instance.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Ask {
    pub(super) id: u64,
    pub(super) hook: Hook,
    pub(super) run: Run,
    pub(super) host: Host,
    /// The provider's source address.
    pub(super) provider: Arc<str>,
    /// Tells the request from every other of the provider.
    pub(super) number: u64,
    pub(super) type_name: Option<Arc<str>>,
    /// The id that it has, whoever may see it.
    pub(super) resource_id: Option<String>,
    pub(super) action: Option<Action>,
    pub(super) label: String,
    pub(super) repeated: bool,
    /// What is sent, once for each view.
    pub(super) messages: Vec<Json>,
    /// Which of them an integration gets.
    pub(super) views: Vec<(Arc<str>, usize)>,
    /// Which of them the report gets.
    pub(super) report: Option<usize>,
}

/// A provider is at the beginning or the end of a stage.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StageAsk {
    pub(super) id: u64,
    pub(super) hook: Hook,
    pub(super) run: Run,
    pub(super) host: Host,
    pub(super) provider: Arc<str>,
    /// What it has counted (at the end).
    pub(super) counts: Option<Counts>,
    /// Whether the host makes any number of plans, and applies each: `terraform test`.
    pub(super) is_test: bool,
}

/// What came of a request.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Answer {
    pub(super) id: u64,
    pub(super) denied: bool,
    pub(super) diagnostics: Vec<Said>,
    /// Why nobody was asked.
    pub(super) fault: Option<String>,
}

/// A diagnostic.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Said {
    is_error: bool,
    summary: String,
    detail: String,
}

/// A level of a log.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Level {
    Trace,
    Debug,
    Info,
    Warn,
    Error,
}

/// Everything in the file that decides what an integration is told, and what comes of a refusal. Both sides have read it for
/// themselves: if they have read different things, an integration could be told what it may not see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Terms {
    has_report: bool,
    integrations: Vec<Term>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Term {
    name: Arc<str>,
    hooks: Option<BTreeSet<Hook>>,
    providers: Vec<String>,
    is_hard: bool,
    values: String,
    attributes: Option<Vec<String>>,
    dynamic: String,
    replan_events: bool,
}

impl From<&Configuration> for Terms {
    fn from(configuration: &Configuration) -> Self {
        let integrations = configuration.integrations.iter().map(|integration| Term::from(&**integration)).collect();
        Self { has_report: configuration.report.is_some(), integrations }
    }
}

impl From<&Integration> for Term {
    fn from(integration: &Integration) -> Self {
        let values = match integration.values {
            Values::None => "none",
            Values::Redacted => "redacted",
            Values::Full => "full",
        };
        let dynamic = match integration.dynamic {
            Dynamic::Walk => "walk",
            Dynamic::Omit => "omit",
        };
        Self {
            name: Arc::clone(&integration.name),
            hooks: integration.hooks.clone(),
            providers: integration.providers.clone(),
            is_hard: integration.fail_mode == FailMode::Hard,
            values: values.to_owned(),
            attributes: integration.attributes.clone(),
            dynamic: dynamic.to_owned(),
            replan_events: integration.replan_events,
        }
    }
}

impl Answer {
    pub(super) fn of(id: u64, outcome: Outcome) -> Self {
        let said = |one: Diagnostic| Said {
            is_error: one.severity == Severity::Error,
            summary: one.summary,
            detail: one.detail,
        };
        let diagnostics = outcome.diagnostics.into_iter().map(said).collect();
        Self { id, denied: outcome.denied, diagnostics, fault: None }
    }

    pub(super) fn outcome(self) -> Result<Outcome, String> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let diagnostic = |said: Said| {
            let make = if said.is_error { Diagnostic::error } else { Diagnostic::warning };
            make(said.summary, said.detail)
        };
        let diagnostics: Diagnostics = self.diagnostics.into_iter().map(diagnostic).collect();
        Ok(Outcome { diagnostics, denied: self.denied })
    }
}

impl From<LogLevel> for Level {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Trace => Self::Trace,
            LogLevel::Debug => Self::Debug,
            LogLevel::Info => Self::Info,
            LogLevel::Warn => Self::Warn,
            LogLevel::Error => Self::Error,
        }
    }
}

impl From<Level> for LogLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::Trace => Self::Trace,
            Level::Debug => Self::Debug,
            Level::Info => Self::Info,
            Level::Warn => Self::Warn,
            Level::Error => Self::Error,
        }
    }
}

/// A message as a line.
pub(super) fn line(message: &impl Serialize) -> Vec<u8> {
    // None of these types has a map with keys that are not texts, the only thing that JSON cannot have.
    let mut line = serde_json::to_vec(message).unwrap_or_default();
    line.push(b'\n');
    line
}
