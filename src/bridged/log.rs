//! How much of a provider's log is shown.

use std::sync::Arc;

use denobridge_core::call::{LogLevel, LogSink};
use denobridge_registry::Environment;

/// Terraform's variables, in the order in which they count.
const VARIABLES: [&str; 2] = ["TF_LOG_PROVIDER", "TF_LOG"];

/// The part of a provider's log that the user has asked for: none of it, if nobody has. What a provider has to tell its users
/// it says in diagnostics; its log, where it repeats them, is for who looks for a fault.
pub(super) struct ProviderLog {
    sink: Arc<dyn LogSink>,
    /// Least severe level that is told; `None` tells nothing.
    least: Option<LogLevel>,
}

impl ProviderLog {
    /// What goes to `sink` is what Terraform's variables for logs ask for.
    pub(super) fn new(sink: Arc<dyn LogSink>, environment: &Environment) -> Self {
        let asked = VARIABLES.into_iter().find_map(|variable| environment.variable(variable));
        Self { sink, least: asked.and_then(LogLevel::asked_for_by) }
    }
}

impl LogSink for ProviderLog {
    fn enabled(&self, level: LogLevel) -> bool {
        self.least.is_some_and(|least| level >= least)
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        if self.enabled(level) {
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
        let all = [Trace, Debug, Info, Warn, Error];
        for (variables, expected) in [
            (&[][..], &[][..]),
            (&[("TF_LOG", "")], &[]),
            (&[("TF_LOG", "off")], &[]),
            (&[("TF_LOG", "error")], &[Error]),
            (&[("TF_LOG", "warn")], &[Warn, Error]),
            (&[("TF_LOG", "info")], &[Info, Warn, Error]),
            (&[("TF_LOG", "JSON")], &all),
            (&[("TF_LOG", "info"), ("TF_LOG_PROVIDER", "trace")], &all),
            (&[("TF_LOG", "trace"), ("TF_LOG_PROVIDER", "off")], &[]),
        ] {
            let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            let seen = Arc::new(Seen::default());
            let log = ProviderLog::new(Arc::clone(&seen) as _, &Environment::new(variables, "/work"));
            all.iter().for_each(|level| log.log(*level, "x", "text", &[]));
            assert_eq!(*seen.0.lock().unwrap(), *expected);
        }
    }
}
