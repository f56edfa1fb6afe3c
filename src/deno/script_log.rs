//! One process's way to the log: without the secrets that the process has been given, and to whom its lines concern.
//!
//! A process that serves one call at a time writes what it writes because of that call. With several at once nobody knows
//! whose a line is, and it goes to the log of the provider as a whole rather than under the name of the wrong resource.

use super::log::{LogLevel, LogSink};
use super::message::RpcError;
use denobridge_core::mask::Secrets;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Clone)]
pub(crate) struct ScriptLog {
    script: Arc<str>,
    provider: Arc<dyn LogSink>,
    /// The log of the call that the process was started for; the provider's if it is not known.
    starter: Arc<dyn LogSink>,
    callers: Arc<Mutex<Callers>>,
    /// Kept until the process ends: stderr and stray output arrive at any time, also after the call.
    secrets: Arc<Mutex<Secrets>>,
}

/// Whose calls the process serves.
#[derive(Default)]
struct Callers {
    serving: Vec<(u64, Arc<dyn LogSink>)>,
    last_number: u64,
    /// Who gets the lines that come while no call is served; the provider if it is not known.
    idle: Option<Arc<dyn LogSink>>,
}

impl ScriptLog {
    /// The log of a process that is started for whoever listens at `starter`.
    pub(crate) fn new(script: &str, provider: Arc<dyn LogSink>, starter: Option<Arc<dyn LogSink>>) -> Self {
        let callers = Callers { idle: starter.clone(), ..Callers::default() };
        let starter = starter.unwrap_or_else(|| Arc::clone(&provider));
        let callers = Arc::new(Mutex::new(callers));
        Self { script: script.into(), provider, starter, callers, secrets: Arc::default() }
    }

    fn callers(&self) -> MutexGuard<'_, Callers> {
        self.callers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The process serves a call from now on. Returns the number to [`release`](Self::release) it by.
    pub(crate) fn serve(&self, caller: Option<&Arc<dyn LogSink>>) -> u64 {
        let caller = Arc::clone(caller.unwrap_or(&self.provider));
        let mut callers = self.callers();
        callers.last_number += 1;
        let number = callers.last_number;
        callers.serving.push((number, caller));
        number
    }

    /// The call has ended. If it was the only one (`exclusive`), what the process goes on to write concerns it until the next.
    pub(crate) fn release(&self, number: u64, exclusive: bool) {
        let mut callers = self.callers();
        let Some(index) = callers.serving.iter().position(|(other, _)| *other == number) else { return };
        let (_, caller) = callers.serving.swap_remove(index);
        callers.idle = exclusive.then_some(caller);
    }

    /// What comes now concerns nobody in particular, unless a call is served: the process has started, or is to end.
    pub(crate) fn concerns_nobody(&self) {
        self.callers().idle = None;
    }

    pub(crate) fn add_secrets(&self, secrets: &Secrets) {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).extend(secrets);
    }

    /// The text with every known secret masked. All that leaves this module, as log or as error, goes through here.
    pub(crate) fn masked(&self, text: &str) -> String {
        self.secrets.lock().unwrap_or_else(PoisonError::into_inner).mask(text).into_owned()
    }

    /// An error of a script's with every known secret masked.
    pub(crate) fn masked_error(&self, mut error: RpcError) -> RpcError {
        error.message = self.masked(&error.message);
        let secrets = self.secrets.lock().unwrap_or_else(PoisonError::into_inner);
        error.data = error.data.map(|data| secrets.mask_json(data));
        drop(secrets);
        error
    }

    /// A line that the process has written, or a remark on what it has.
    pub(crate) fn write(&self, level: LogLevel, message: &str) {
        let sink = {
            let callers = self.callers();
            match callers.serving.as_slice() {
                [] => callers.idle.as_ref().map(Arc::clone),
                [(_, only)] => Some(Arc::clone(only)),
                _ => None,
            }
        };
        sink.as_ref().unwrap_or(&self.provider).log(level, &self.script, &self.masked(message));
    }

    /// A remark on the life of the process.
    pub(crate) fn write_of_process(&self, level: LogLevel, message: &str) {
        self.starter.log(level, &self.script, &self.masked(message));
    }

    pub(crate) fn warn(&self, message: &str) {
        self.write(LogLevel::Warning, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deno::log::NoLog;
    use crate::deno::testing::Recorded;

    #[test]
    fn what_an_error_adds_stays_json_without_secrets() {
        let log = ScriptLog::new("s.ts", Arc::new(NoLog), None);
        let mut secrets = Secrets::default();
        secrets.add_text("PASS\"word");
        log.add_secrets(&secrets);
        let data = serde_json::json!({"body": {"t": "PASS\"word"}, "sent": r#"{"t":"PASS\"word"}"#});
        let message = r#"HTTP 400 for body {"t":"PASS\"word"}"#.to_owned();
        let error = log.masked_error(RpcError { code: 1, message, data: Some(data), object: None });
        assert_eq!(error.message, r#"HTTP 400 for body {"t":"(sensitive)"}"#);
        let data = serde_json::json!({"body": {"t": "(sensitive)"}, "sent": r#"{"t":"(sensitive)"}"#});
        assert_eq!(error.data, Some(data));
    }

    #[test]
    fn lines_go_to_the_only_call_that_they_can_be_about() {
        let sinks: [Arc<Recorded>; 3] = std::array::from_fn(|_| Arc::default());
        let [provider, first, second] = &sinks;
        let sink = |recorded: &Arc<Recorded>| -> Arc<dyn LogSink> { Arc::clone(recorded) as _ };
        let log = ScriptLog::new("s.ts", sink(provider), Some(sink(first)));
        let line = |text: &str| log.write(LogLevel::Info, text);
        line("starts");
        log.concerns_nobody();
        line("between");
        let one = log.serve(Some(&sink(first)));
        line("of the first");
        let two = log.serve(Some(&sink(second)));
        line("of one of two");
        log.release(one, false);
        line("of the second");
        log.release(two, true);
        line("of the second, late");
        let unknown = log.serve(None);
        line("of nobody");
        log.release(unknown, false);
        line("idle");
        log.write_of_process(LogLevel::Info, "ended");
        let lines = |recorded: &Arc<Recorded>| recorded.at(LogLevel::Info).join(", ").replace("s.ts: ", "");
        assert_eq!(lines(provider), "between, of one of two, of nobody, idle");
        assert_eq!(lines(first), "starts, of the first, ended");
        assert_eq!(lines(second), "of the second, of the second, late");
    }
}
