//! Where the words of a script go: its stderr, its stray output, and our own remarks about it.

use super::message::RpcError;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Command lines, starts and ends of processes, and what scripts write to stderr.
    Debug,
    /// Progress that belongs to no call.
    Info,
    /// Something that the script should not have done and that was got over.
    Warning,
}

/// Takes the log lines of scripts. Called from several tasks, so it must not block.
pub trait LogSink: Send + Sync + 'static {
    /// One line, without its line end. `script` is the script as the user wrote it.
    fn log(&self, level: LogLevel, script: &str, message: &str);
}

/// Drops every line.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoLog;

impl LogSink for NoLog {
    fn log(&self, _: LogLevel, _: &str, _: &str) {}
}

/// Shorter values would black out half of every line and are guessed at once anyway.
const SHORTEST_SECRET: usize = 4;
const MASK: &str = "(sensitive value)";

/// One script's way to the log, which knows the secrets that its process has been given.
#[derive(Clone)]
pub(crate) struct ScriptLog {
    script: Arc<str>,
    sink: Arc<dyn LogSink>,
    /// Kept until the process ends: stderr and stray output arrive at any time, also after the call.
    secrets: Arc<Mutex<Vec<String>>>,
}

impl ScriptLog {
    pub(crate) fn new(script: &str, sink: Arc<dyn LogSink>) -> Self {
        Self { script: script.into(), sink, secrets: Arc::default() }
    }

    pub(crate) fn add_secrets(&self, values: &[String]) {
        let mut secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        for value in values {
            // A secret of several lines is printed line by line.
            for line in value.lines().map(str::trim).chain([value.as_str()]) {
                if line.len() >= SHORTEST_SECRET && !secrets.iter().any(|known| known == line) {
                    secrets.push(line.to_owned());
                }
            }
        }
        // The longest first, so that no part of one is left when a shorter one lies inside it.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    }

    /// The text with every known secret masked. All that leaves this module, as log or as error, goes through here.
    pub(crate) fn masked(&self, text: &str) -> String {
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        secrets.iter().fold(text.to_owned(), |text, secret| {
            if text.contains(secret.as_str()) { text.replace(secret.as_str(), MASK) } else { text }
        })
    }

    /// An error of a script's with every known secret masked.
    pub(crate) fn masked_error(&self, mut error: RpcError) -> RpcError {
        error.message = self.masked(&error.message);
        error.data = error.data.map(|data| {
            let text = data.to_string();
            let masked = self.masked(&text);
            if masked == text { data } else { Value::String(masked) }
        });
        error
    }

    pub(crate) fn write(&self, level: LogLevel, message: &str) {
        self.sink.log(level, &self.script, &self.masked(message));
    }

    pub(crate) fn warn(&self, message: &str) {
        self.write(LogLevel::Warning, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_longest_first_and_line_by_line() {
        let log = ScriptLog::new("s.ts", Arc::new(NoLog));
        log.add_secrets(&["hunter2".into(), "hunter2-and-more".into(), "a".into(), "KEY START\nabcdef\n".into()]);
        assert_eq!(
            log.masked("a: hunter2, hunter2-and-more, abcdef"),
            "a: (sensitive value), (sensitive value), (sensitive value)"
        );
    }
}
