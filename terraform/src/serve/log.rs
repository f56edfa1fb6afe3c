//! Log lines as plugin hosts read them: one JSON object per line of standard error.
//!
//! Hosts show a line raw, and at debug level only, when it is longer than 64 KiB or its time stamp has another layout.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use denobridge_core::calendar::date;
use denobridge_core::call::{LogLevel, LogSink, ProgressSink};
use serde_json::{Map, Value};

use crate::log_variable;

/// Longest line that hosts still parse, its end included.
const MAX_LINE_BYTES: usize = 64 << 10;

/// Longest message that is written; the rest of the line is left to fields and to escapes.
const MAX_MESSAGE_BYTES: usize = 24 << 10;

/// Writes to standard error what the user's log level lets through.
pub(super) struct HostLog {
    /// Least severe level that is written; `None` writes nothing.
    least: Option<LogLevel>,
}

impl HostLog {
    /// Takes the level from the environment: `TF_LOG_PROVIDER_<TYPE>` for this provider, else `TF_LOG_PROVIDER`, else
    /// `TF_LOG`, else `default`. The host filters again by its own settings.
    pub(super) fn from_environment(
        provider_type: &str,
        default: Option<LogLevel>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Self {
        let own = log_variable::of_provider(provider_type);
        let set = [own.as_str(), "TF_LOG_PROVIDER", "TF_LOG"]
            .into_iter()
            .find_map(|name| variable(name).filter(|value| !value.is_empty()));
        Self { least: set.map_or(default, |value| LogLevel::asked_for_by(&value)) }
    }
}

impl LogSink for HostLog {
    fn enabled(&self, level: LogLevel) -> bool {
        self.least.is_some_and(|least| level >= least)
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        if self.enabled(level) {
            let line = line(level, module, message, fields, SystemTime::now());
            // One write, so that lines of concurrent calls do not mix. There is nobody to tell that it failed.
            let _ = std::io::stderr().lock().write_all(&line);
        }
    }
}

/// Progress of operations that hosts show none of, as lines of the log.
pub(super) struct LoggedProgress(pub(super) Arc<dyn LogSink>);

impl ProgressSink for LoggedProgress {
    fn progress(&self, message: &str) {
        self.0.log(LogLevel::Info, "progress", message, &[]);
    }
}

fn line(level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)], now: SystemTime) -> Vec<u8> {
    let level = match level {
        LogLevel::Trace => "trace",
        LogLevel::Debug => "debug",
        LogLevel::Info => "info",
        LogLevel::Warn => "warn",
        LogLevel::Error => "error",
    };
    let mut object = Map::new();
    object.insert("@level".to_owned(), Value::from(level));
    object.insert("@message".to_owned(), Value::from(shortened(message)));
    object.insert("@module".to_owned(), Value::from(module));
    object.insert("@timestamp".to_owned(), Value::from(timestamp(now)));
    let essential = object.clone();
    for (name, value) in fields {
        if !name.starts_with('@') {
            object.insert((*name).to_owned(), Value::from(*value));
        }
    }
    let mut line = Value::Object(object).to_string();
    if line.len() >= MAX_LINE_BYTES {
        line = Value::Object(essential).to_string();
    }
    line.push('\n');
    line.into_bytes()
}

fn shortened(message: &str) -> String {
    if message.len() <= MAX_MESSAGE_BYTES {
        return message.to_owned();
    }
    let end = (0..=MAX_MESSAGE_BYTES).rev().find(|&end| message.is_char_boundary(end)).unwrap_or(0);
    format!("{} … ({} bytes in all)", &message[..end], message.len())
}

/// UTC with microseconds, such as `2026-01-02T15:04:05.000000Z`.
fn timestamp(now: SystemTime) -> String {
    let since_epoch = now.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    let seconds = since_epoch.as_secs();
    let (year, month, day) = date(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:06}Z", since_epoch.subsec_micros())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_with(variables: &[(&str, &str)]) -> HostLog {
        HostLog::from_environment("my-cloud", None, |name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        })
    }

    /// F62: configurable log level.
    #[test]
    fn f62_the_most_specific_variable_wins() {
        assert_eq!(log_with(&[]).least, None);
        assert_eq!(log_with(&[("TF_LOG", "info")]).least, Some(LogLevel::Info));
        assert_eq!(log_with(&[("TF_LOG", "JSON")]).least, Some(LogLevel::Trace));
        assert_eq!(log_with(&[("TF_LOG", "INFO"), ("TF_LOG_PROVIDER", "WARN")]).least, Some(LogLevel::Warn));
        let all = [("TF_LOG", "INFO"), ("TF_LOG_PROVIDER", "WARN"), ("TF_LOG_PROVIDER_MY_CLOUD", "OFF")];
        assert_eq!(log_with(&all).least, None);
    }

    #[test]
    fn levels_below_the_least_are_dropped() {
        let log = log_with(&[("TF_LOG", "WARN")]);
        assert!(log.enabled(LogLevel::Error) && log.enabled(LogLevel::Warn) && !log.enabled(LogLevel::Info));
    }

    #[test]
    fn a_line_has_the_layout_that_hosts_parse() {
        let now = UNIX_EPOCH + Duration::from_micros(1_767_366_245_000_042);
        let line = line(LogLevel::Warn, "pool", "two\nlines", &[("script", "a.ts"), ("@level", "forged")], now);
        assert_eq!(
            String::from_utf8(line).unwrap(),
            "{\"@level\":\"warn\",\"@message\":\"two\\nlines\",\"@module\":\"pool\",\
             \"@timestamp\":\"2026-01-02T15:04:05.000042Z\",\"script\":\"a.ts\"}\n"
        );
    }

    #[test]
    fn a_line_never_grows_beyond_what_hosts_parse() {
        let long = "\u{e9}\"".repeat(40_000);
        let line = line(LogLevel::Info, "pool", &long, &[("more", &long)], UNIX_EPOCH);
        assert!(line.len() <= MAX_LINE_BYTES, "{}", line.len());
        let parsed: Value = serde_json::from_slice(&line).unwrap();
        assert!(parsed["@message"].as_str().unwrap().ends_with("(120000 bytes in all)"));
    }

    #[test]
    fn dates_follow_the_calendar() {
        assert_eq!(date(0), (1970, 1, 1));
        assert_eq!(date(11_016), (2000, 2, 29));
        assert_eq!(date(11_017), (2000, 3, 1));
        assert_eq!(date(20_454), (2026, 1, 1));
        assert_eq!(date(47_540), (2100, 2, 28));
        assert_eq!(date(47_541), (2100, 3, 1));
    }
}
