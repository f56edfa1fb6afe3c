//! The scripts of a configured provider: one pool, where its log goes, and what is remembered of each script.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant, SystemTime};

use denobridge_core::call::{LogLevel, LogSink};
use denobridge_core::cty::Value;
use denobridge_framework::Context;
use serde_json::Value as Json;

use super::ephemeral::Leases;
use super::settings::Settings;
use super::{configuration, traffic};
use crate::children::Watcher;
use crate::deno::command::Location;
use crate::deno::{
    self, CallOptions, Permissions, Pool, PoolOptions, ScriptError, ScriptErrorKind, ScriptSpec, Transport,
};

/// Keeps the pools of all providers made with it, so that whoever serves them can end their scripts in peace.
#[derive(Clone, Default)]
pub struct Runtime(Arc<Shared>);

#[derive(Default)]
struct Shared {
    pools: Mutex<Vec<Weak<Pool>>>,
    watcher: Option<Arc<Watcher>>,
}

impl Runtime {
    /// A runtime with a watcher of its own; the default uses the one that all of this process share.
    #[must_use]
    pub fn with_watcher(watcher: Arc<Watcher>) -> Self {
        Self(Arc::new(Shared { pools: Mutex::default(), watcher: Some(watcher) }))
    }

    /// Asks every script to end, and kills those that do not. Scripts that are called afterwards fail.
    pub async fn shutdown(&self) {
        let pools: Vec<_> = {
            let mut pools = self.0.pools.lock().unwrap_or_else(PoisonError::into_inner);
            pools.drain(..).filter_map(|pool| pool.upgrade()).collect()
        };
        futures::future::join_all(pools.iter().map(|pool| pool.shutdown())).await;
    }

    /// The scripts of a newly configured provider. Those of an earlier configuration end once nothing uses them.
    pub(crate) fn scripts(&self, settings: Settings, log: &Arc<dyn LogSink>) -> Scripts {
        let (call_limit, stop_limit) = (settings.limits.call, settings.limits.stop);
        let script =
            ScriptSpec { configuration_digest: configuration::digest(&settings.configuration), ..settings.script };
        let pool = Arc::new(Pool::new(PoolOptions {
            limits: settings.limits,
            log: Arc::new(ScriptLines(Arc::clone(log))),
            watcher: self.0.watcher.clone().unwrap_or_else(Watcher::shared),
            configuration: Arc::new(settings.configuration),
        }));
        let mut pools = self.0.pools.lock().unwrap_or_else(PoisonError::into_inner);
        pools.retain(|pool| pool.strong_count() > 0);
        pools.push(Arc::downgrade(&pool));
        Scripts {
            pool,
            call_limit,
            stop_limit,
            script,
            is_unknown: settings.is_unknown,
            owner: None,
            leases: Leases::default(),
            without_modify_plan: Mutex::default(),
        }
    }
}

/// How long after a deadline, and the time that an interrupted change has, a call is given up that nobody has cancelled.
const UNATTENDED_DEADLINE: Duration = Duration::from_secs(1);

/// Who has scripts of their own that users do not name by themselves: a package.
pub(crate) trait Owner: Send + Sync {
    /// What to do about an error, where that is something else than for a script that the user has named.
    fn advice(&self, error: &ScriptError) -> Option<String>;
}

/// What a configured provider runs its scripts with.
pub(crate) struct Scripts {
    pool: Arc<Pool>,
    call_limit: Option<Duration>,
    stop_limit: Duration,
    /// How scripts are run; what is the same for all of them.
    script: ScriptSpec,
    is_unknown: bool,
    /// Who speaks for them, if not the generic components.
    pub owner: Option<Arc<dyn Owner>>,
    /// The ephemeral resources that are open.
    pub leases: Leases,
    /// Scripts that have no `modifyPlan`, each with the version of which that was learned.
    without_modify_plan: Mutex<HashMap<ScriptSpec, Option<FileVersion>>>,
}

impl Drop for Scripts {
    /// Scripts that nobody can call any more are asked to end, so that they can still do what they do then.
    fn drop(&mut self) {
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let pool = Arc::clone(&self.pool);
            runtime.spawn(async move { pool.shutdown().await });
        }
    }
}

/// The methods that change something. They are not cut off at once when the host is interrupted.
const CHANGES: [&str; 7] = ["create", "update", "delete", "open", "renew", "close", "invoke"];

/// Tells versions of a file apart.
type FileVersion = (SystemTime, u64);

impl Scripts {
    /// Whether it is not known yet which Deno will run the scripts, so that none can be asked anything.
    pub fn deno_is_unknown(&self) -> bool {
        self.is_unknown
    }

    /// How to run the script of a resource whose attributes are `object`: its path, configuration file and permissions,
    /// which must be known.
    pub fn spec(&self, object: &Value) -> Result<ScriptSpec, ScriptError> {
        let script = text(object, "path").unwrap_or_default();
        let failed = |kind| ScriptError { script: script.clone(), method: None, kind };
        if script.is_empty() {
            return Err(failed(ScriptErrorKind::NoPath));
        }
        let transport = Transport::parse(text(object, "transport").as_deref());
        let transport = transport.map_err(|error| failed(ScriptErrorKind::UnknownTransport(error)))?;
        Ok(ScriptSpec {
            transport: transport.unwrap_or(self.script.transport),
            config_file: text(object, "config_file"),
            permissions: permissions(object),
            script,
            ..self.script.clone()
        })
    }

    /// Calls a script. What the `options` leave open follows from the context: what the script writes goes to the call's log,
    /// progress goes to whoever watches the operation, and the call ends with it.
    pub async fn call(
        &self,
        context: &Context,
        spec: &ScriptSpec,
        method: &str,
        params: &Json,
        options: CallOptions,
    ) -> Result<Json, ScriptError> {
        let call = context.call();
        // Whoever set a deadline cancels the call when it has passed, and then a change may still come to its end. This
        // limit is for those who set one and do not look after it.
        let left = call.deadline().map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let left = left.map(|left| left + self.stop_limit + UNATTENDED_DEADLINE);
        let left = left.filter(|left| self.call_limit.is_none_or(|limit| *left < limit));
        let progress = options.progress.unwrap_or_else(|| {
            let watched = Arc::clone(call.progress_sink());
            Arc::new(move |message| watched.progress(&message))
        });
        let progress = if call.log_sink().enabled(LogLevel::Trace) {
            let (log, script, method) = (Arc::clone(call.log_sink()), spec.script.clone(), method.to_owned());
            Arc::new(move |told: String| {
                traffic::log_progress(&*log, &script, &method, &told);
                progress(told);
            })
        } else {
            progress
        };
        let options = CallOptions {
            cancel: call.cancellation().clone(),
            grace: if CHANGES.contains(&method) { self.stop_limit } else { Duration::ZERO },
            time_limit: left,
            log: Some(Arc::new(ScriptLines(Arc::clone(call.log_sink())))),
            progress: Some(progress),
            ..options
        };
        let (log, began) = (call.log_sink(), Instant::now());
        traffic::log_call(&**log, &spec.script, method, params, &options.secrets);
        let outcome = self.pool.call(spec, method, params, &options).await;
        traffic::log_outcome(&**log, &spec.script, method, &outcome, began.elapsed(), &options.secrets);
        outcome
    }

    /// Whether it is known that the script, as it is now, has no `modifyPlan`.
    pub fn lacks_modify_plan(&self, spec: &ScriptSpec) -> bool {
        let mut known = self.without_modify_plan.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(spec) {
            Some(version) if *version == file_version(spec) => true,
            Some(_) => {
                known.remove(spec);
                false
            }
            None => false,
        }
    }

    /// Remembers that the script has no `modifyPlan`. `version` is that of before it was asked.
    pub fn remember_no_modify_plan(&self, spec: &ScriptSpec, version: Option<FileVersion>) {
        let mut known = self.without_modify_plan.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(spec.clone(), version);
    }
}

/// The present version of a script on this machine; `None` for one elsewhere, which we take not to change while we run.
pub(super) fn file_version(spec: &ScriptSpec) -> Option<FileVersion> {
    let location = Location::parse(&spec.script, &std::env::current_dir().ok()?).ok()?;
    let metadata = location.file().map(Path::metadata)?.ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

fn text(object: &Value, name: &str) -> Option<String> {
    object.attribute(name).and_then(Value::as_str).map(str::to_owned)
}

/// The `permissions` of a component; those that are not known yet are left out.
pub(super) fn permissions(object: &Value) -> Permissions {
    let Some(given) = object.attribute("permissions") else { return Permissions::default() };
    let list = |name| {
        let items = given.attribute(name).and_then(Value::as_elements).unwrap_or_default();
        items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    };
    Permissions {
        all: given.attribute("all").and_then(Value::as_bool).unwrap_or(false),
        allow: list("allow"),
        deny: list("deny"),
    }
}

/// Hands what scripts write to a log of ours: that of a call, or that of the provider.
struct ScriptLines(Arc<dyn LogSink>);

impl deno::LogSink for ScriptLines {
    fn log(&self, level: deno::LogLevel, script: &str, message: &str) {
        let level = match level {
            deno::LogLevel::Debug => LogLevel::Debug,
            deno::LogLevel::Info => LogLevel::Info,
            deno::LogLevel::Warning => LogLevel::Warn,
            deno::LogLevel::Error => LogLevel::Error,
        };
        if self.0.enabled(level) {
            self.0.log(level, "script", message, &[("script", script)]);
        }
    }
}
