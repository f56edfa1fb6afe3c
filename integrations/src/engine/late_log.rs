//! Where goes what concerns the whole process: the log of the first call that there was, without secrets that are known.

use std::sync::{Arc, OnceLock};

use denobridge_core::call::{LogLevel, LogSink};

use crate::redaction::Known;

/// A log that is known only when the host first asks something. What comes before is lost: nothing happens before.
pub(super) struct LateLog {
    log: OnceLock<Arc<dyn LogSink>>,
    /// An integration may see what nobody should read in a log.
    known: Known,
}

impl LateLog {
    pub(super) fn new(known: Known) -> Self {
        Self { log: OnceLock::new(), known }
    }

    /// From now on, everything goes there.
    pub(super) fn begin(&self, log: &Arc<dyn LogSink>) {
        let _ = self.log.set(Arc::clone(log));
    }
}

impl LogSink for LateLog {
    fn enabled(&self, level: LogLevel) -> bool {
        self.log.get().is_some_and(|log| log.enabled(level))
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        if let Some(log) = self.log.get() {
            log.log(level, module, &self.known.scrub(message), fields);
        }
    }
}
