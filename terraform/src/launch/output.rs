//! What a provider writes beside the protocol: its log goes to ours, and the end of the rest is kept, since it tells why a
//! provider crashed.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use denobridge_core::call::{LogLevel, LogSink};
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{ChildStderr, ChildStdout};
use tonic::transport::Channel;

use crate::proto::plugin::grpc_stdio_client::GrpcStdioClient;

/// Lines kept of the end. A Go panic of one goroutine has about as many.
const KEPT_LINES: usize = 60;

/// Longest line that is kept or logged in one piece, in bytes; the rest of it is a line of its own.
const LONGEST_LINE: usize = 16 << 10;

/// How long output may still come after the process ended. What it started may hold the pipe open for ever.
const SETTLE_LIMIT: Duration = Duration::from_millis(200);

/// A provider's output.
pub(crate) struct Output {
    name: String,
    log: Arc<dyn LogSink>,
    kept: Mutex<Kept>,
    /// Pipes that are still open.
    open: AtomicUsize,
}

#[derive(Default)]
struct Kept {
    lines: VecDeque<String>,
    /// The lines since a panic began are all there is to say.
    panicked: bool,
}

impl Output {
    pub(super) fn new(name: String, log: Arc<dyn LogSink>) -> Self {
        Self { name, log, kept: Mutex::default(), open: AtomicUsize::new(0) }
    }

    /// Reads standard error to its end.
    pub(super) fn follow_errors(self: &Arc<Self>, stderr: Option<ChildStderr>) {
        if let Some(stderr) = stderr {
            self.follow(BufReader::new(stderr));
        }
    }

    /// The first line of standard output, if there is one. What comes after it is read to its end as well, so that the
    /// provider never waits for a full pipe.
    pub(super) async fn first_line(self: &Arc<Self>, stdout: ChildStdout) -> Option<String> {
        let mut stdout = BufReader::new(stdout);
        let line = next_line(&mut stdout).await?;
        self.follow(stdout);
        Some(line)
    }

    fn follow(self: &Arc<Self>, mut pipe: impl AsyncBufRead + Send + Unpin + 'static) {
        let output = Arc::clone(self);
        output.open.fetch_add(1, Ordering::Relaxed);
        tokio::spawn(async move {
            while let Some(line) = next_line(&mut pipe).await {
                output.line(&line);
            }
            output.open.fetch_sub(1, Ordering::Relaxed);
        });
    }

    /// Reads what go-plugin sends over the connection instead of the pipes: all that a Go provider prints once it serves.
    pub(super) fn follow_stdio(self: &Arc<Self>, channel: Channel) {
        let output = Arc::clone(self);
        tokio::spawn(async move {
            // Plugins that do not know the service are as good.
            let Ok(stream) = GrpcStdioClient::new(channel).stream_stdio(()).await else { return };
            let mut stream = stream.into_inner();
            let mut rest = String::new();
            while let Ok(Some(chunk)) = stream.message().await {
                rest.push_str(&String::from_utf8_lossy(&chunk.data));
                let complete = rest.rfind('\n').map_or(0, |end| end + 1);
                rest[..complete].lines().for_each(|line| output.line(line.trim_end()));
                rest.drain(..complete);
                if rest.len() > LONGEST_LINE {
                    output.line(&std::mem::take(&mut rest));
                }
            }
            if !rest.is_empty() {
                output.line(&rest);
            }
        });
    }

    /// Waits for output that is still under way, but not long.
    pub(super) async fn settle(&self) {
        let settled = async {
            while self.open.load(Ordering::Relaxed) > 0 {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        let _ = tokio::time::timeout(SETTLE_LIMIT, settled).await;
    }

    /// The end of what it said, to be put behind a message; empty when it said nothing.
    pub(crate) fn last_words(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.lines.is_empty() {
            return String::new();
        }
        let lines: Vec<&str> = kept.lines.iter().map(String::as_str).collect();
        format!("\nIt last said:\n  {}", lines.join("\n  "))
    }

    fn line(&self, line: &str) {
        let level = level(line);
        // Most lines, of a provider that cannot be told to be quiet.
        if level.is_some_and(|level| level < LogLevel::Error && !self.log.enabled(level)) {
            return;
        }
        if let Some((level, entry)) = level.zip(entry(line)) {
            // A provider's own log is for the log; only what it calls an error explains an end.
            if level == LogLevel::Error {
                self.keep(&entry.message);
            }
            let fields: Vec<(&str, &str)> =
                entry.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            self.log.log(level, &self.name, &entry.message, &fields);
            return;
        }
        self.keep(line);
        self.log.log(LogLevel::Debug, &self.name, line, &[]);
    }

    fn keep(&self, line: &str) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if !kept.panicked && (line.starts_with("panic: ") || line.starts_with("fatal error: ")) {
            kept.panicked = true;
            kept.lines.clear();
        }
        if kept.lines.len() == KEPT_LINES {
            // Of a panic the beginning matters, of anything else the end.
            if kept.panicked {
                return;
            }
            kept.lines.pop_front();
        }
        kept.lines.push_back(line.to_owned());
    }
}

async fn next_line(pipe: &mut (impl AsyncBufRead + Unpin)) -> Option<String> {
    let mut line = Vec::new();
    // A pipe that cannot be read has ended.
    let read = pipe.take(LONGEST_LINE as u64).read_until(b'\n', &mut line).await.ok()?;
    (read > 0).then(|| String::from_utf8_lossy(&line).trim_end().to_owned())
}

/// One entry of a provider's log, as hclog writes it, but for its level.
struct Entry {
    message: String,
    fields: Vec<(String, String)>,
}

/// The level of an entry, without the rest of it being made anything of.
fn level(line: &str) -> Option<LogLevel> {
    /// Of an entry only the level.
    #[derive(Deserialize)]
    struct Leveled<'line> {
        #[serde(rename = "@level")]
        level: &'line str,
    }
    let leveled: Leveled<'_> = line.starts_with('{').then(|| serde_json::from_str(line).ok())??;
    match leveled.level {
        "trace" => Some(LogLevel::Trace),
        "debug" => Some(LogLevel::Debug),
        "info" => Some(LogLevel::Info),
        "warn" => Some(LogLevel::Warn),
        "error" => Some(LogLevel::Error),
        _ => None,
    }
}

fn entry(line: &str) -> Option<Entry> {
    let Value::Object(mut entry) = line.starts_with('{').then(|| serde_json::from_str(line).ok())?? else {
        return None;
    };
    entry.shift_remove("@level");
    let message = entry.shift_remove("@message")?.as_str()?.to_owned();
    entry.shift_remove("@timestamp");
    let fields = entry.into_iter().map(|(name, value)| {
        let value = match value {
            Value::String(text) => text,
            other => other.to_string(),
        };
        (name, value)
    });
    Some(Entry { message, fields: fields.collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen(Mutex<Vec<String>>);

    impl LogSink for Seen {
        fn enabled(&self, _: LogLevel) -> bool {
            true
        }

        fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
            self.0.lock().unwrap().push(format!("{level:?} {module} {message} {fields:?}"));
        }
    }

    fn output() -> (Arc<Seen>, Output) {
        let seen = Arc::new(Seen::default());
        (Arc::clone(&seen), Output::new("x".to_owned(), seen))
    }

    #[test]
    fn a_log_entry_goes_to_the_log_with_its_level_and_fields() {
        let (seen, output) = output();
        output.line(r#"{"@level":"warn","@message":"slow","@module":"sdk","@timestamp":"2026","n":1}"#);
        assert_eq!(*seen.0.lock().unwrap(), [r#"Warn x slow [("@module", "sdk"), ("n", "1")]"#]);
        assert_eq!(output.last_words(), "");
    }

    #[test]
    fn what_the_log_does_not_want_is_not_written_to_it_and_errors_are_kept() {
        /// Wants warnings, and fails when it gets anything less.
        struct Warnings;

        impl LogSink for Warnings {
            fn enabled(&self, level: LogLevel) -> bool {
                level >= LogLevel::Warn
            }

            fn log(&self, level: LogLevel, _: &str, message: &str, _: &[(&str, &str)]) {
                assert!(self.enabled(level), "{message}");
            }
        }

        let output = Output::new("x".to_owned(), Arc::new(Warnings));
        for level in ["trace", "debug", "info", "warn", "error"] {
            output.line(&format!(r#"{{"@caller":"a.go:1","@level":"{level}","@message":"of {level}","n":{{}}}}"#));
        }
        assert_eq!(output.last_words(), "\nIt last said:\n  of error");
    }

    #[test]
    fn of_plain_text_the_end_is_kept_and_of_a_panic_the_beginning() {
        let (_, output) = output();
        for number in 0..100 {
            output.line(&format!("line {number}"));
        }
        assert!(output.last_words().starts_with("\nIt last said:\n  line 40\n"), "{}", output.last_words());
        output.line("panic: nil map");
        for number in 0..100 {
            output.line(&format!("frame {number}"));
        }
        let words = output.last_words();
        assert!(words.starts_with("\nIt last said:\n  panic: nil map\n  frame 0\n"), "{words}");
        assert!(words.ends_with("frame 58"), "{words}");
    }
}
