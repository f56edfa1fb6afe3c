//! Which log lines a provider need not write, because nobody would be shown them.
//!
//! A provider that is told nothing writes its whole trace (in `terraform-plugin-log` a logger without a level is at trace), and
//! the host throws away what was not asked for. That is two hundred lines and more for a call, which cost the provider and us
//! several times what the call itself does. So it is told at once what will be thrown away.

use std::ffi::OsString;
use std::path::Path;

use denobridge_core::call::{LogLevel, LogSink};

use crate::log_variable;

/// For what the SDKs of providers write; each part of them may have a variable of its own, which then counts.
const OF_SDKS: &str = "TF_LOG_SDK";

/// What the name of every provider's program begins with.
const PROGRAM_PREFIX: &str = "terraform-provider-";

/// The variables that keep a provider from writing what `log` does not want, but for those that `is_set` already: who has set
/// one has asked for a level by themselves.
pub(super) fn variables(
    program: &Path,
    log: &dyn LogSink,
    is_set: impl Fn(&str) -> bool,
) -> Vec<(OsString, &'static str)> {
    let level = least(log);
    let names = [Some(OF_SDKS.to_owned()), name_of(program).map(log_variable::of_provider)];
    names.into_iter().flatten().filter(|name| !is_set(name)).map(|name| (name.into(), level)).collect()
}

/// The least severe level that is wanted. Errors always are: they tell why a provider has ended.
fn least(log: &dyn LogSink) -> &'static str {
    use LogLevel::{Debug, Info, Trace, Warn};
    let levels = [(Trace, "TRACE"), (Debug, "DEBUG"), (Info, "INFO"), (Warn, "WARN")];
    levels.into_iter().find(|(level, _)| log.enabled(*level)).map_or("ERROR", |(_, name)| name)
}

/// What a provider is called: `my-cloud` for `terraform-provider-my-cloud_v1.2.3_x5`.
fn name_of(program: &Path) -> Option<&str> {
    let name = program.file_name()?.to_str()?.strip_prefix(PROGRAM_PREFIX)?;
    name.split(['_', '.']).next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    struct From(Option<LogLevel>);

    impl LogSink for From {
        fn enabled(&self, level: LogLevel) -> bool {
            self.0.is_some_and(|least| level >= least)
        }

        fn log(&self, _: LogLevel, _: &str, _: &str, _: &[(&str, &str)]) {}
    }

    fn told(program: &str, least: Option<LogLevel>, set: &[&str]) -> Vec<String> {
        let variables = variables(Path::new(program), &From(least), |name| set.contains(&name));
        variables.into_iter().map(|(name, level)| format!("{}={level}", name.display())).collect()
    }

    #[test]
    fn a_provider_writes_what_is_wanted_and_errors_always() {
        use LogLevel::{Debug, Error, Info, Trace, Warn};
        for (least, level) in [
            (Some(Trace), "TRACE"),
            (Some(Debug), "DEBUG"),
            (Some(Info), "INFO"),
            (Some(Warn), "WARN"),
            (Some(Error), "ERROR"),
            (None, "ERROR"),
        ] {
            let expected = [format!("TF_LOG_SDK={level}"), format!("TF_LOG_PROVIDER_MY_CLOUD={level}")];
            assert_eq!(told("/p/terraform-provider-my-cloud_v1.2.3_x5", least, &[]), expected);
        }
    }

    #[test]
    fn what_the_user_has_set_is_left_alone() {
        let warn = Some(LogLevel::Warn);
        assert_eq!(told("terraform-provider-time.exe", warn, &["TF_LOG_SDK"]), ["TF_LOG_PROVIDER_TIME=WARN"]);
        assert_eq!(told("terraform-provider-time", warn, &["TF_LOG_PROVIDER_TIME"]), ["TF_LOG_SDK=WARN"]);
        // A program that is called something else does not tell the provider's name.
        assert_eq!(told("/p/provider", warn, &[]), ["TF_LOG_SDK=WARN"]);
    }
}
