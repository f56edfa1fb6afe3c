//! Starts a provider that was found, so that it ends with us; or connects to one that runs already.

use std::io;
use std::process::Command;
use std::sync::Arc;

use denobridge_core::Call;
use denobridge_core::call::{LogLevel, LogSink};
use denobridge_pulumi::PackageError;
use denobridge_registry::Environment;
use denobridge_terraform::launch::{Spawner, Started};
use denobridge_terraform::{ForeignProvider, LaunchOptions, attach, launch};
use futures::future::BoxFuture;

use super::find::{Found, Place};
use super::log::ProviderLog;
use crate::children::{self, Watcher};

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
            launch(LaunchOptions::new(&found.title, program, log, spawner)).await
        }
    };
    started.map_err(|error| PackageError::Unavailable(error.to_string()))
}

/// Starts processes that end with us, with all that they have started.
struct WatchedSpawner {
    watcher: Arc<Watcher>,
    log: Arc<dyn LogSink>,
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
