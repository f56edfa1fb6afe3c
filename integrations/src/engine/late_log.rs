//! Where goes what concerns the whole process: the log of the first call that there was.

use std::sync::{Arc, OnceLock};

use denobridge_core::call::{LogLevel, LogSink};

/// A log that is known only when the host first asks something. What comes before is lost: nothing happens before.
#[derive(Default)]
pub(super) struct LateLog(OnceLock<Arc<dyn LogSink>>);

impl LateLog {
    /// From now on, everything goes there.
    pub(super) fn begin(&self, log: &Arc<dyn LogSink>) {
        let _ = self.0.set(Arc::clone(log));
    }
}

impl LogSink for LateLog {
    fn enabled(&self, level: LogLevel) -> bool {
        self.0.get().is_some_and(|log| log.enabled(level))
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        if let Some(log) = self.0.get() {
            log.log(level, module, message, fields);
        }
    }
}
