//! Why an integration gave no result.

use std::fmt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::protocol::PROTOCOL_VERSION;

/// Why an integration gave no result. The texts are for users, and are shown behind the integration's name.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Failure {
    /// It has not answered in time.
    #[error(
        "the integration did not answer `{method}` within {}. Its `timeout` says how long it may take",
        seconds(*limit)
    )]
    Timeout {
        /// The call.
        method: &'static str,
        /// How long it had.
        limit: Duration,
    },
    /// Its process ended before it had answered, also after it was started again.
    #[error("the integration {}, and has not answered `{method}`{}{}", exit.summary(), again(*restarts), exit.tail())]
    Crashed {
        /// The call.
        method: &'static str,
        /// How the process ended.
        exit: Arc<Exit>,
        /// How often it was started again.
        restarts: u32,
    },
    /// Its process ended too often.
    #[error("the integration {}{}{}", exit.summary(), again(*restarts), exit.tail())]
    Gone {
        /// How the process ended.
        exit: Arc<Exit>,
        /// How often it was started again.
        restarts: u32,
    },
    /// It answered with an error.
    #[error("the integration answered `{method}` with {error}")]
    Error {
        /// The call.
        method: &'static str,
        /// What it said.
        error: Arc<str>,
    },
    /// It wrote something that is not what the protocol has there.
    #[error("the integration broke the protocol: {what}")]
    Protocol {
        /// What it wrote, and what is wrong with it.
        what: Arc<str>,
    },
    /// What we would have to tell it is longer than a line may be.
    #[error("`{method}` was not sent: it takes {bytes} bytes, and a line may have {limit}")]
    TooLong {
        /// The call.
        method: &'static str,
        /// How long the line would be.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
    /// There is no process.
    #[error("the integration could not be started: {reason}")]
    NotStarted {
        /// Why not.
        reason: Arc<str>,
    },
    /// Its process has not come to answer `initialize` in time.
    #[error(
        "the integration did not answer `initialize` within {} of its start. A longer `timeout` counts for its start, \
         too{}",
        seconds(*limit),
        tail(last_lines)
    )]
    SilentStart {
        /// How long it had.
        limit: Duration,
        /// What it last said on standard error.
        last_lines: Vec<String>,
    },
    /// Its process ended, or answered with an error, before it was ready.
    #[error("the integration did not start: {reason}")]
    Refused {
        /// How it ended, or what it said.
        reason: Arc<str>,
    },
    /// It speaks another version of the protocol.
    #[error(
        "the integration speaks version {theirs} of the protocol, and this program version {PROTOCOL_VERSION}. Use a \
         version of the integration that speaks version {PROTOCOL_VERSION}"
    )]
    Version {
        /// Its version.
        theirs: Box<str>,
    },
    /// It has not answered in time again and again.
    #[error(
        "the integration did not answer {calls} calls in a row within {} each. Its `timeout` says how long it may take, its \
         `give_up_after` how often it may take longer",
        seconds(*limit)
    )]
    Slow {
        /// How many.
        calls: u32,
        /// How long each of them had.
        limit: Duration,
    },
    /// It is not asked any more, because of a failure that was told when it happened.
    #[error("the integration is not asked any more in this run: {because}")]
    Disabled {
        /// The failure.
        because: Arc<Failure>,
    },
    /// It has been shut down.
    #[error("the integration has been shut down")]
    ShutDown,
}

impl Failure {
    /// Whether it will be the same whatever is asked, so that one word about it is enough.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        matches!(
            self,
            Self::NotStarted { .. }
                | Self::SilentStart { .. }
                | Self::Refused { .. }
                | Self::Version { .. }
                | Self::Gone { .. }
                | Self::Disabled { .. }
        )
    }
}

/// How a process ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exit {
    /// Its status, if it could be learned.
    pub status: Option<ExitStatus>,
    /// Why we ended it, if we did.
    pub reason: Option<Arc<str>>,
    /// What it last said on standard error.
    pub last_lines: Vec<String>,
}

impl Exit {
    /// What happened, to go on a sentence that begins with `the integration`.
    fn summary(&self) -> String {
        match (&self.reason, self.status) {
            (Some(reason), _) => format!("was ended since it {reason}"),
            (None, Some(status)) => format!("has ended ({status})"),
            (None, None) => "has ended".into(),
        }
    }

    fn tail(&self) -> String {
        tail(&self.last_lines)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.summary(), self.tail())
    }
}

fn tail(lines: &[String]) -> String {
    if lines.is_empty() { String::new() } else { format!(". It last said:\n  {}", lines.join("\n  ")) }
}

fn again(restarts: u32) -> String {
    match restarts {
        0 => String::new(),
        1 => ", although it was started again".into(),
        count => format!(", although it was started again {count} times"),
    }
}

/// A time as people write it: `2 s`, `0.25 s`.
fn seconds(duration: Duration) -> String {
    format!("{} s", duration.as_secs_f64())
}
