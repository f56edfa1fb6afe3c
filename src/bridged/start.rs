//! Starts a provider that was found, so that it ends with us; or connects to one that runs already.

use std::io;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use denobridge_core::Call;
use denobridge_core::call::{LogLevel, LogSink};
use denobridge_pulumi::PackageError;
use denobridge_registry::Environment;
use denobridge_terraform::launch::{DEFAULT_START_LIMIT, Spawner, Started};
use denobridge_terraform::{ForeignProvider, LaunchError, LaunchOptions, attach, launch};
use futures::future::BoxFuture;

use super::find::{Found, Place};
use super::log::ProviderLog;
use crate::children::{self, Watcher};

/// The variable for how long a provider may take until it says where it listens, in seconds. Beside [`DEFAULT_START_LIMIT`] a
/// slow disk or a scanner of new programs may want more.
const START_TIMEOUT: &str = "DENOBRIDGE_PROVIDER_START_TIMEOUT";

/// Starts the provider, or connects to it. The log of one that we start goes where the call's does.
///
/// # Errors
/// It does not start, or is no provider.
pub(super) async fn start(
    call: &Call,
    found: &Found,
    environment: &Environment,
    watcher: Arc<Watcher>,
) -> Result<ForeignProvider, PackageError> {
    let started = match &found.place {
        Place::Running(running) => attach(&found.title, running).await,
        Place::Program(program) => {
            let spawner = Arc::new(WatchedSpawner { watcher, log: Arc::clone(call.log_sink()) });
            let log = Arc::new(ProviderLog::new(Arc::clone(call.log_sink()), environment));
            let start_limit = start_limit(environment)?;
            launch(LaunchOptions { start_limit, ..LaunchOptions::new(&found.title, program, log, spawner) }).await
        }
    };
    started.map_err(|error| {
        let advice = match error {
            LaunchError::Silent { .. } => format!("\nIf it needs longer, set {START_TIMEOUT} to more seconds."),
            _ => String::new(),
        };
        PackageError::Unavailable(format!("{error}{advice}"))
    })
}

pub(crate) fn start_limit(environment: &Environment) -> Result<Duration, PackageError> {
    let Some(text) = environment.variable(START_TIMEOUT) else { return Ok(DEFAULT_START_LIMIT) };
    let seconds = text.parse::<u64>().ok().filter(|seconds| *seconds > 0);
    seconds.map(Duration::from_secs).ok_or_else(|| {
        PackageError::InvalidParameter(format!("{START_TIMEOUT} is {text:?}, and must be a whole number above 0"))
    })
}

/// Starts processes that end with us, with all that they have started.
pub(crate) struct WatchedSpawner {
    pub watcher: Arc<Watcher>,
    pub log: Arc<dyn LogSink>,
}

impl Spawner for WatchedSpawner {
    fn spawn(&self, command: Command) -> BoxFuture<'static, io::Result<Started>> {
        let (watcher, log) = (Arc::clone(&self.watcher), Arc::clone(&self.log));
        Box::pin(async move {
            let spawned = children::spawn(command, watcher).await?;
            if let Some(error) = spawned.unwatched {
                let message = format!("a provider may outlive this plugin, since it cannot be watched: {error}");
                log.log(LogLevel::Warn, "children", &message, &[]);
            }
            Ok(Started { child: spawned.child, group: Box::new(spawned.group) })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_a_number_of_seconds() {
        let limit = |text: &str| start_limit(&Environment::new([(START_TIMEOUT.to_owned(), text.to_owned())], "/work"));
        assert_eq!(limit(""), Ok(DEFAULT_START_LIMIT));
        assert_eq!(limit("90"), Ok(Duration::from_secs(90)));
        for wrong in ["0", "-1", "1.5", "soon"] {
            let expected = format!("{START_TIMEOUT} is {wrong:?}, and must be a whole number above 0");
            assert_eq!(limit(wrong), Err(PackageError::InvalidParameter(expected)));
        }
    }
}
