//! What a child has to say beside its answers: lines for the log, as many as a log can take, and the last of them for errors.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use denobridge_core::call::{LogLevel, LogSink};

use super::limits::Limits;
use super::text::one_line;
use crate::protocol::LogMessage;

/// The longest piece of standard error that is one line of the log, in bytes.
pub(super) const PIECE: usize = 16 << 10;

/// How many lines of standard error are kept for errors.
const KEPT_LINES: usize = 10;

/// The most characters of each of them.
const KEPT_CHARACTERS: usize = 300;

/// The log of one integration, and what its running process last wrote to standard error.
pub(super) struct ChildLog {
    sink: Arc<dyn LogSink>,
    module: String,
    state: Mutex<State>,
}

struct State {
    allowance: Allowance,
    last_lines: VecDeque<String>,
}

impl ChildLog {
    pub(super) fn new(sink: Arc<dyn LogSink>, integration: &str, limits: &Limits) -> Self {
        let state = State { allowance: Allowance::new(limits), last_lines: VecDeque::new() };
        Self { sink, module: format!("integration.{integration}"), state: Mutex::new(state) }
    }

    /// Another process begins: what the last one said is not its.
    pub(super) fn begin(&self) {
        self.lock().last_lines.clear();
    }

    /// A line of standard error.
    pub(super) fn standard_error(&self, line: &[u8]) {
        let line = one_line(&String::from_utf8_lossy(line), PIECE);
        if line.is_empty() {
            return;
        }
        let mut state = self.lock();
        if state.last_lines.len() == KEPT_LINES {
            state.last_lines.pop_front();
        }
        state.last_lines.push_back(one_line(&line, KEPT_CHARACTERS));
        drop(state);
        self.write(LogLevel::Debug, &line);
    }

    /// A notification.
    pub(super) fn message(&self, message: &LogMessage) {
        let level = match message.level.to_ascii_lowercase().as_str() {
            "trace" => LogLevel::Trace,
            "debug" => LogLevel::Debug,
            "warn" | "warning" => LogLevel::Warn,
            "error" => LogLevel::Error,
            _ => LogLevel::Info,
        };
        self.write(level, &one_line(&message.message, PIECE));
    }

    /// A remark on its life, of which there are few.
    pub(super) fn note(&self, level: LogLevel, line: &str) {
        if self.sink.enabled(level) {
            self.sink.log(level, &self.module, line, &[]);
        }
    }

    /// A line that the child has caused, unless there have been too many.
    pub(super) fn write(&self, level: LogLevel, line: &str) {
        if !self.sink.enabled(level) {
            return;
        }
        let Some(left_out) = self.lock().allowance.take(Instant::now()) else { return };
        if left_out > 0 {
            let remark = format!("{left_out} lines are left out, since there were too many at once");
            self.sink.log(LogLevel::Warn, &self.module, &remark, &[]);
        }
        self.sink.log(level, &self.module, line, &[]);
    }

    /// What was last written to standard error.
    pub(super) fn last_lines(&self) -> Vec<String> {
        self.lock().last_lines.iter().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How many lines may still be told: a number at once, and then so many in each second.
struct Allowance {
    burst: f64,
    rate: f64,
    left: f64,
    since: Instant,
    left_out: u64,
}

impl Allowance {
    fn new(limits: &Limits) -> Self {
        let burst = f64::from(limits.log_burst);
        Self { burst, rate: f64::from(limits.log_rate), left: burst, since: Instant::now(), left_out: 0 }
    }

    /// Takes one, and says how many could not be taken before it.
    fn take(&mut self, now: Instant) -> Option<u64> {
        let gained = now.saturating_duration_since(self.since).as_secs_f64() * self.rate;
        (self.left, self.since) = ((self.left + gained).min(self.burst), now);
        if self.left < 1.0 {
            self.left_out += 1;
            return None;
        }
        self.left -= 1.0;
        Some(std::mem::take(&mut self.left_out))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_flood_is_cut_to_a_rate_and_what_is_left_out_is_counted() {
        let limits = Limits { log_burst: 3, log_rate: 2, ..Limits::default() };
        let mut allowance = Allowance::new(&limits);
        let start = allowance.since;
        let taken = |allowance: &mut Allowance, after| {
            (0..5).map(|_| allowance.take(start + Duration::from_secs(after))).collect::<Vec<_>>()
        };
        assert_eq!(taken(&mut allowance, 0), [Some(0), Some(0), Some(0), None, None]);
        assert_eq!(taken(&mut allowance, 1), [Some(2), Some(0), None, None, None]);
        assert_eq!(taken(&mut allowance, 100), [Some(3), Some(0), Some(0), None, None]);
    }
}
