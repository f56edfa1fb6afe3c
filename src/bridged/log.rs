//! How much of a provider's log is shown.

use std::sync::Arc;

use denobridge_core::call::{LogLevel, LogSink};
use denobridge_registry::Environment;

/// Terraform's variables, in the order in which they count.
const VARIABLES: [&str; 2] = ["TF_LOG_PROVIDER", "TF_LOG"];

/// What is told when nobody has asked for a log: every provider writes a line or two about its own start.
const DEFAULT: LogLevel = LogLevel::Warn;

/// The part of a provider's log that the user has asked for.
pub(super) struct ProviderLog {
    sink: Arc<dyn LogSink>,
    least: LogLevel,
}

impl ProviderLog {
    /// What goes to `sink` is what Terraform's variables for logs ask for; warnings and errors always.
    pub(super) fn new(sink: Arc<dyn LogSink>, environment: &Environment) -> Self {
        let asked = VARIABLES.into_iter().find_map(|variable| environment.variable(variable));
        Self { sink, least: asked.map_or(DEFAULT, level).min(DEFAULT) }
    }
}

/// A level as Terraform reads it: what is no level is the finest one.
fn level(text: &str) -> LogLevel {
    match text.to_ascii_uppercase().as_str() {
        "DEBUG" => LogLevel::Debug,
        "INFO" => LogLevel::Info,
        "WARN" | "ERROR" | "OFF" => LogLevel::Warn,
        _ => LogLevel::Trace,
    }
}

impl LogSink for ProviderLog {
    fn enabled(&self, level: LogLevel) -> bool {
        level >= self.least
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        if level >= self.least {
            self.sink.log(level, module, message, fields);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    #[derive(Default)]
    struct Seen(Mutex<Vec<LogLevel>>);

    impl LogSink for Seen {
        fn enabled(&self, _: LogLevel) -> bool {
            true
        }

        fn log(&self, level: LogLevel, _: &str, _: &str, _: &[(&str, &str)]) {
            self.0.lock().unwrap().push(level);
        }
    }

    #[test]
    fn shows_what_terraforms_variables_ask_for() {
        use LogLevel::{Debug, Error, Info, Trace, Warn};
        let (warnings, all) = (vec![Warn, Error], vec![Trace, Debug, Info, Warn, Error]);
        for (variables, expected) in [
            (&[][..], &warnings),
            (&[("TF_LOG", "off")], &warnings),
            (&[("TF_LOG", "error")], &warnings),
            (&[("TF_LOG", "info")], &vec![Info, Warn, Error]),
            (&[("TF_LOG", "JSON")], &all),
            (&[("TF_LOG", "info"), ("TF_LOG_PROVIDER", "trace")], &all),
        ] {
            let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let seen = Arc::new(Seen::default());
            let log = ProviderLog::new(Arc::clone(&seen) as _, &Environment::new(variables, "/work"));
            all.iter().for_each(|level| log.log(*level, "x", "text", &[]));
            assert_eq!(*seen.0.lock().unwrap(), *expected);
        }
    }
}
