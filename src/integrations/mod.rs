//! Integrations around the providers that this process serves: which there are, who starts them, and when they end.

mod launcher;
mod named;
mod refusal;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use denobridge_core::Provider;
use denobridge_core::provider::Layered;
use denobridge_integrations::configuration::{Configuration, Discovery, Search};
use denobridge_integrations::process::Limits;
use denobridge_integrations::protocol::{HostKind, ShutdownReason};
use denobridge_integrations::run::{HostProcess, RunFolder};
use denobridge_integrations::wrapper::{Endpoint, PATIENCE};
use denobridge_integrations::{Engine, EngineOptions, Hooks, HooksOptions, Integrated, WithinOptions};
use tokio::time::timeout;

use crate::children::Watcher;
use crate::packages::VERSION;

pub use launcher::ProcessLauncher;
pub(crate) use named::{Named, NamedFiles, SETTING};
use refusal::Refusal;

/// How long integrations have to end after the host was killed.
const ORPHAN_LIMIT: Duration = Duration::from_secs(1);

/// How long the program around a run may say nothing, if nothing else is said.
const DEFAULT_PATIENCE: Duration = Duration::from_secs(10);

/// How long the program around a run may say nothing, as the environment has it.
fn patience(variable: Option<&str>) -> Result<Duration, String> {
    let Some(text) = variable.filter(|text| !text.is_empty()) else { return Ok(DEFAULT_PATIENCE) };
    let seconds = text.parse::<u64>().ok().filter(|seconds| *seconds > 0);
    let seconds = seconds.ok_or_else(|| format!("{PATIENCE} is {text:?}, and must be a whole number above 0"))?;
    Ok(Duration::from_secs(seconds))
}

/// What an engine needs that has integrations of its own.
pub(crate) fn engine_options(configuration: Configuration, run: RunFolder) -> EngineOptions {
    EngineOptions {
        configuration,
        launcher: Arc::new(ProcessLauncher::new(Watcher::shared())),
        limits: Limits::default(),
        version: VERSION.to_owned(),
        run,
    }
}

/// The integrations of this process.
pub struct Integrations {
    kind: HostKind,
    host: HostProcess,
    directory: PathBuf,
    /// Or why there are none although there should be.
    engine: Result<Arc<Engine>, Arc<str>>,
    hooks: Mutex<Vec<Arc<Hooks>>>,
    has_ended: AtomicBool,
}

impl Integrations {
    /// Those that the user's environment names, or that a file in or above the working directory declares; none if there is
    /// none of either.
    #[must_use]
    pub fn of_process(kind: HostKind) -> Option<Arc<Self>> {
        let directory = std::env::current_dir().unwrap_or_default();
        let search = Search { variable: &|name| std::env::var_os(name), named: None, working_directory: &directory };
        let file = match search.find() {
            Ok(Discovery::Nothing | Discovery::Gated(_)) => return None,
            Ok(Discovery::File(file)) => Ok(file),
            Err(several) => Err(several.to_string()),
        };
        Some(Self::of(kind, file))
    }

    /// Those that the file declares, if it is known which.
    fn of(kind: HostKind, file: Result<PathBuf, String>) -> Arc<Self> {
        let directory = std::env::current_dir().unwrap_or_default();
        let host = HostProcess::of_process();
        let engine = file.and_then(|file| Configuration::read(&file).map_err(|errors| errors.to_string()));
        let engine = engine.and_then(|configuration| {
            let run = RunFolder::of_process(&host);
            let run = run.map_err(|error| format!("the folder that the processes of a run share: {error}"))?;
            let around = Endpoint::of(&run);
            let around = around.map_err(|error| format!("where the program around this run listens: {error}"))?;
            Ok(match around {
                Some(endpoint) => {
                    let (host, patience) = (host.clone(), patience(std::env::var(PATIENCE).ok().as_deref())?);
                    Engine::within(endpoint, WithinOptions { configuration, run, host, kind, patience })
                }
                None => Engine::new(engine_options(configuration, run)),
            })
        });
        let engine = engine.map_err(Into::into);
        Arc::new(Self { kind, host, directory, engine, hooks: Mutex::default(), has_ended: AtomicBool::new(false) })
    }

    /// The provider of that source address, about which integrations are asked. One that they cannot be asked about since what
    /// declares them is wrong cannot be configured.
    pub(crate) fn around(&self, provider: Arc<dyn Provider>, address: &str) -> Arc<dyn Provider> {
        match &self.engine {
            Ok(engine) => {
                let hooks = Arc::new(Hooks::new(Arc::clone(engine), self.options(address)));
                self.hooks.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&hooks));
                Arc::new(Layered(Integrated::new(provider, hooks)))
            }
            Err(reason) => Arc::new(Layered(Refusal::new(provider, Arc::clone(reason)))),
        }
    }

    /// Whether any of them wants plans of deletions, which providers make only if they say that they want to.
    pub(crate) fn wants_plans_of_deletions(&self) -> bool {
        let hooks = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        hooks.iter().any(|hooks| hooks.wants_plans_of_deletions())
    }

    fn options(&self, address: &str) -> HooksOptions {
        HooksOptions {
            provider: address.into(),
            alias_hint: None,
            kind: self.kind,
            host: self.host.clone(),
            directory: self.directory.clone(),
        }
    }

    /// The user has asked the host to stop.
    pub(crate) fn interrupt(&self) {
        if let Ok(engine) = &self.engine {
            engine.interrupt();
        }
    }

    /// Ends the stages that are open, and the integrations. Only the first call counts. When the host is gone there is nobody
    /// left to wait for them, whatever the reason given: they have little time then.
    pub(crate) async fn end(&self, reason: ShutdownReason) {
        if self.has_ended.swap(true, Ordering::SeqCst) {
            return;
        }
        let Ok(engine) = &self.engine else { return };
        let is_orphaned = HostProcess::of_process() != self.host;
        if is_orphaned || reason == ShutdownReason::Interrupted {
            self.interrupt();
        }
        let hooks = std::mem::take(&mut *self.hooks.lock().unwrap_or_else(PoisonError::into_inner));
        let end = async {
            for hooks in hooks {
                hooks.finish().await;
            }
            engine.shutdown(reason).await;
        };
        if is_orphaned {
            // What is left is killed when this process ends.
            let _ = timeout(ORPHAN_LIMIT, end).await;
        } else {
            end.await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_a_whole_number_of_seconds() {
        assert_eq!((patience(None), patience(Some(""))), (Ok(DEFAULT_PATIENCE), Ok(DEFAULT_PATIENCE)));
        assert_eq!(patience(Some("90")), Ok(Duration::from_secs(90)));
        for wrong in ["0", "-1", "1.5", "soon"] {
            assert!(patience(Some(wrong)).unwrap_err().starts_with("DENOBRIDGE_RUN_TIMEOUT is "), "{wrong}");
        }
    }
}
