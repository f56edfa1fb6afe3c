//! Calls of scripts that run on another machine. There is no process of ours: whoever runs them decides how many there are.

use super::super::error::ScriptErrorKind;
use super::super::http::{Endpoint, Health};
use super::super::log::LogLevel;
use super::super::process::CallOptions;
use super::super::script_log::ScriptLog;
use super::{Pool, ScriptSpec};
use serde_json::Value;
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

/// The addresses that have answered `/health`.
pub(super) type Healthy = Mutex<HashSet<String>>;

impl Pool {
    pub(super) async fn call_remote(
        &self,
        endpoint: &Endpoint,
        spec: &ScriptSpec,
        method: &str,
        params: &Value,
        options: &CallOptions,
    ) -> Result<Value, ScriptErrorKind> {
        let pool = &self.shared.options;
        let log = ScriptLog::new(&spec.script, Arc::clone(&pool.log), options.log.clone());
        let mut secrets = options.secrets.clone();
        endpoint.token().iter().for_each(|token| secrets.add_text(token));
        log.add_secrets(&secrets);
        let limit = options.time_limit.or(pool.limits.call);
        let call = async {
            self.healthy(endpoint).await?;
            endpoint.call(method, params, options, pool.limits.message_bytes).await
        };
        let outcome = tokio::select! {
            biased;
            outcome = call => outcome,
            () = options.given_up(&log, method) => Err(ScriptErrorKind::Cancelled { grace: options.grace }),
            () = self.shared.closed.cancelled() => Err(ScriptErrorKind::ShutDown),
            limit = super::super::process::expiry(limit) => Err(ScriptErrorKind::CallTimeout {
                limit,
                of_call: options.time_limit.is_some(),
                cancelled: options.cancel.is_cancelled(),
                output: Box::default(),
                unfinished: None,
            }),
        };
        outcome.map_err(|kind| explained(kind, &log))
    }

    /// Asks for the script's health before its first call, so that a wrong address is told as such.
    async fn healthy(&self, endpoint: &Endpoint) -> Result<(), ScriptErrorKind> {
        let known = || self.healthy.lock().unwrap_or_else(PoisonError::into_inner);
        if known().contains(endpoint.address()) {
            return Ok(());
        }
        let limits = &self.shared.options.limits;
        let asked = tokio::time::timeout(limits.start, endpoint.health(limits.message_bytes)).await;
        let late = |_| ScriptErrorKind::StartTimeout { limit: limits.start, output: Box::default() };
        match asked.map_err(late)?? {
            Health::Ready(_) => {
                known().insert(endpoint.address().to_owned());
                Ok(())
            }
            Health::Status(status @ (401 | 403)) => Err(ScriptErrorKind::NotAdmitted { status }),
            Health::Status(status) => Err(ScriptErrorKind::NotServing { status }),
        }
    }
}

fn explained(kind: ScriptErrorKind, log: &ScriptLog) -> ScriptErrorKind {
    match kind {
        ScriptErrorKind::Refused { error, .. } if matches!(error.code, 401 | 403) => {
            ScriptErrorKind::NotAdmitted { status: u16::try_from(error.code).unwrap_or_default() }
        }
        ScriptErrorKind::Refused { error, uncaught } => {
            ScriptErrorKind::Refused { error: Box::new(log.masked_error(*error)), uncaught }
        }
        ScriptErrorKind::Unreachable { address, reason, is_remote } => {
            log.write(LogLevel::Debug, &format!("{address} cannot be reached: {reason}"));
            ScriptErrorKind::Unreachable { address: log.masked(&address), reason: log.masked(&reason), is_remote }
        }
        other => other,
    }
}
