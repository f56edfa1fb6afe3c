//! Every time limit, size and count of an integration's process, in one place.

use std::time::Duration;

use crate::configuration::{Integration, Program};
use crate::protocol::MAXIMUM_LINE;

/// What an integration's process may take, in time, memory and attempts. How long a call may take is not here but in
/// [`Integration::timeout`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the start of a program to its answer to `initialize`. Default 10 s: interpreters take a while on a busy machine.
    pub start: Duration,
    /// The same for a Deno script. Default 60 s: a first start may download what it imports.
    pub script_start: Duration,
    /// How many calls are with the process at once; further ones wait, and their clock starts when they are sent.
    pub in_flight: usize,
    /// How often a process that has ended is started again, over the whole run.
    pub restarts: u32,
    /// How long to wait before the first restart and before later ones.
    pub backoff: [Duration; 2],
    /// From `shutdown` to the request to end (SIGTERM). Default 2 s.
    pub grace: Duration,
    /// From that request to the end by force (SIGKILL). Default 0.5 s.
    pub termination: Duration,
    /// The longest line in either direction, in bytes.
    pub line: usize,
    /// How many lines of its log are told at once; when they are used up, [`Self::log_rate`] are told in each second.
    pub log_burst: u32,
    /// Lines of its log in each second of a flood; the rest is left out and counted.
    pub log_rate: u32,
    /// How many lines that are no messages a process may write before it is ended.
    pub faults: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            script_start: Duration::from_secs(60),
            in_flight: 16,
            restarts: 2,
            backoff: [Duration::from_millis(100), Duration::from_millis(400)],
            grace: Duration::from_secs(2),
            termination: Duration::from_millis(500),
            line: MAXIMUM_LINE,
            log_burst: 1000,
            log_rate: 100,
            faults: 100,
        }
    }
}

impl Limits {
    /// How long the integration may take to start: what is said here, or the time limit of its calls if that is longer.
    #[must_use]
    pub fn start_of(&self, integration: &Integration) -> Duration {
        let limit = match integration.program {
            Program::Command(_) => self.start,
            Program::Script { .. } => self.script_start,
        };
        limit.max(integration.timeout)
    }

    /// How long to wait before the restart with this number, from 1.
    pub(super) fn pause_before(&self, restart: u32) -> Duration {
        self.backoff[usize::from(restart > 1)]
    }
}
