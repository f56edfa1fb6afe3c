//! Keeps scripts running between calls.
//!
//! A process is kept for each distinct [`ScriptSpec`] and used again. By default a process serves one call at a time, as
//! scripts written for other hosts expect. When calls have to wait, another process is started only once waiting has cost
//! more than a start would: 200 quick calls are served by one process, ten slow ones side by side (the rule is in
//! `pool::pace`). A script that answers `health` with `"concurrent": true` has all its calls sent to one process at once.
//!
//! A process ends when it has been idle for [`Limits::idle`], when its script has changed, when a call on it was given up
//! or timed out, or with the pool. Calls that run while their script changes finish on the old process.

mod entry;
mod pace;
mod remote;
mod stamp;
#[cfg(test)]
mod tests;

use super::command::Permissions;
use super::configure::Configuration;
use super::environment::Inherited;
use super::error::{ScriptError, ScriptErrorKind};
use super::http::{Remote, Transport};
use super::limits::Limits;
use super::log::{LogSink, NoLog};
use super::process::CallOptions;
use super::program::Deno;
use crate::children::Watcher;
use entry::Entry;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// All that tells one running script from another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScriptSpec {
    /// The Deno to run it with.
    pub deno: Deno,
    /// The script as the user wrote it: a path, a `file://` or other address, `jsr:…` or `npm:…`.
    pub script: String,
    /// The `config_file` setting; see [`ConfigurationFile`](super::command::ConfigurationFile).
    pub config_file: Option<String>,
    /// What the script may do.
    pub permissions: Permissions,
    /// Where relative paths start and where the script runs; `None` is our own working directory.
    pub working_directory: Option<PathBuf>,
    /// What the script gets of our own environment.
    pub inherited: Inherited,
    /// Set on top of it.
    pub environment: Vec<(OsString, OsString)>,
    /// A digest of the provider configuration that the script can see, so that providers configured differently never
    /// share a process.
    pub configuration_digest: String,
    /// A process of its own for each call.
    pub fresh: bool,
    /// How the script is spoken to.
    pub transport: Transport,
    /// Where it runs if its address is below that.
    pub remote: Option<Arc<Remote>>,
}

impl ScriptSpec {
    /// A script with everything else left at its default.
    pub fn new(deno: impl Into<Deno>, script: impl Into<String>) -> Self {
        Self {
            deno: deno.into(),
            script: script.into(),
            config_file: None,
            permissions: Permissions::default(),
            working_directory: None,
            inherited: Inherited::All,
            environment: Vec::new(),
            configuration_digest: String::new(),
            fresh: false,
            transport: Transport::Auto,
            remote: None,
        }
    }
}

/// How a pool works.
#[derive(Clone)]
pub struct PoolOptions {
    /// Time, size and number.
    pub limits: Limits,
    /// Where what scripts write goes that is of no call, or of one without a log of its own.
    pub log: Arc<dyn LogSink>,
    /// Kills what is left when we are killed.
    pub watcher: Arc<Watcher>,
    /// What scripts are told that want to be configured.
    pub configuration: Arc<Configuration>,
}

impl Default for PoolOptions {
    /// The default limits, no log, no configuration, and the watcher that all pools of this process share.
    fn default() -> Self {
        let (limits, configuration) = (Limits::default(), Arc::default());
        Self { limits, log: Arc::new(NoLog), watcher: Watcher::shared(), configuration }
    }
}

/// Running scripts. Dropping it kills them; [`shutdown`](Self::shutdown) lets them end by themselves.
pub struct Pool {
    shared: entry::PoolShared,
    /// Looked into for each call; the keys come from configurations, so nobody can choose ones that collide to any use.
    entries: Mutex<FxHashMap<ScriptSpec, Arc<Entry>>>,
    healthy: remote::Healthy,
}

impl Pool {
    /// A pool without processes.
    pub fn new(options: PoolOptions) -> Self {
        let shared = entry::PoolShared { options, closed: CancellationToken::new(), tasks: TaskTracker::new() };
        Self { shared, entries: Mutex::default(), healthy: Mutex::default() }
    }

    /// Calls a method of a script, which is started if need be.
    ///
    /// `params` is sent as it is and must be an object. The result is the answer's `result`, null if it has none.
    /// Dropping the future gives the call up, as cancelling does.
    pub async fn call(
        &self,
        spec: &ScriptSpec,
        method: &str,
        params: &Value,
        options: &CallOptions,
    ) -> Result<Value, ScriptError> {
        let error = |method, kind| ScriptError { script: spec.script.clone(), method, kind };
        if let Some(endpoint) = spec.remote.as_ref().and_then(|remote| remote.endpoint(&spec.script)) {
            let outcome = match endpoint {
                Ok(endpoint) => self.call_remote(&endpoint, spec, method, params, options).await,
                Err(kind) => Err(kind),
            };
            return outcome.map_err(|kind| error(Some(method.to_owned()), kind));
        }
        let entry = self.entry(spec).map_err(|kind| error(None, kind))?;
        // Most often a process is free: then nobody need be told of a cancellation to come.
        let lease = tokio::select! {
            biased;
            lease = self.admitted(&entry, options.log.as_ref()), if !self.is_off(options) => lease,
            () = options.cancel.cancelled() => Err(ScriptErrorKind::Cancelled { grace: Duration::ZERO }),
            () = self.shared.closed.cancelled() => Err(ScriptErrorKind::ShutDown),
        };
        let lease = lease.map_err(|kind| error(None, kind))?;
        let outcome = lease.process().call(method, params, options, self.shared.options.limits.call).await;
        drop(lease);
        outcome.map_err(|kind| error(Some(method.to_owned()), kind))
    }

    /// Whether a call must not begin any more.
    fn is_off(&self, options: &CallOptions) -> bool {
        options.cancel.is_cancelled() || self.shared.closed.is_cancelled()
    }

    /// A process that is there for another call. One that has gone is replaced: a new one is always there for its first.
    async fn admitted(
        &self,
        entry: &Arc<Entry>,
        caller: Option<&Arc<dyn LogSink>>,
    ) -> Result<entry::Lease, ScriptErrorKind> {
        loop {
            let lease = entry.acquire(caller).await?.serving(caller);
            if lease.process().admit(self.shared.options.limits.start).await {
                return Ok(lease);
            }
        }
    }

    fn entry(&self, spec: &ScriptSpec) -> Result<Arc<Entry>, ScriptErrorKind> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = entries.get(spec) {
            return Ok(Arc::clone(entry));
        }
        let entry = Arc::new(Entry::new(spec, self.shared.clone())?);
        entries.insert(spec.clone(), Arc::clone(&entry));
        Ok(entry)
    }

    /// How many processes there are, those that are starting included.
    pub fn process_count(&self) -> usize {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.values().map(|entry| entry.process_count()).sum()
    }

    /// How many of them can take calls. One that has ended by itself stays among them until somebody needs a process.
    #[cfg(test)]
    fn usable_count(&self) -> usize {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.values().map(|entry| entry.usable_count()).sum()
    }

    /// Ends all scripts side by side: each is asked by `shutdown` and killed after [`Limits::stop`]. Further calls fail.
    pub async fn shutdown(&self) {
        self.shared.closed.cancel();
        {
            // Under the lock to the end: who else asks for the end meanwhile, and finds no entries, waits for these too.
            let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
            entries.drain().for_each(|(_, entry)| entry.stop_all());
        }
        self.shared.tasks.close();
        self.shared.tasks.wait().await;
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.closed.cancel();
    }
}
