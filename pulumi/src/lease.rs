//! Ephemeral resources that programs have opened. Each is held by a task that renews it when its time comes, and closes
//! it when the engine is done with this process.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use denobridge_core::provider::{
    CloseEphemeralResourceRequest, RenewEphemeralResourceRequest, RenewEphemeralResourceResponse,
};
use denobridge_core::{Call, Diagnostics, Severity};
use denobridge_sdk_gen::ObjectNames;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::engine::EngineLog;
use crate::errors::{diagnostic_text, error_texts};
use crate::package::LoadedPackage;
use crate::proto::pulumirpc::LogSeverity;
use crate::wording::Wording;

/// A provider that wants to be renewed at once, again and again, is asked no more often than this.
const SHORTEST_INTERVAL: Duration = Duration::from_secs(1);

/// How often the clock is looked at while waiting: it may be set, and the computer may sleep.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);

/// An open ephemeral resource.
pub(crate) struct Lease {
    pub(crate) package: Arc<LoadedPackage>,
    pub(crate) type_name: Arc<str>,
    /// What the program called to open it.
    pub(crate) name: String,
    pub(crate) fields: ObjectNames,
    pub(crate) private: Bytes,
    pub(crate) renew_at: Option<SystemTime>,
    pub(crate) log: EngineLog,
}

/// All that is open.
#[derive(Default)]
pub(crate) struct Leases(Mutex<Vec<Held>>);

struct Held {
    name: String,
    end: CancellationToken,
    task: JoinHandle<()>,
}

impl Leases {
    /// Holds an open ephemeral resource until [`Leases::close`].
    pub(crate) fn hold(&self, lease: Lease) {
        let end = CancellationToken::new();
        let held = Held { name: lease.name.clone(), end: end.clone(), task: tokio::spawn(lease.live(end)) };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(held);
    }

    /// Closes all that is open, side by side. What is not closed within the limit is returned by name.
    pub(crate) async fn close(&self, limit: Duration) -> Vec<String> {
        let held = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        held.iter().for_each(|held| held.end.cancel());
        let deadline = tokio::time::Instant::now() + limit;
        let mut left = Vec::new();
        for Held { name, task, .. } in held {
            if tokio::time::timeout_at(deadline, task).await.is_err() {
                left.push(name);
            }
        }
        left
    }
}

impl Lease {
    async fn live(mut self, end: CancellationToken) {
        loop {
            let due = async {
                match self.renew_at {
                    Some(at) => reached(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = end.cancelled() => break,
                () = due => self.renew(&end).await,
            }
        }
        self.close().await;
    }

    /// Renews it. After a failure there is no further attempt, as under Terraform; it is still closed at the end.
    async fn renew(&mut self, end: &CancellationToken) {
        let request =
            RenewEphemeralResourceRequest { type_name: Arc::clone(&self.type_name), private: self.private.clone() };
        let call = self.call().with_cancellation(end.child_token());
        self.renew_at = None;
        match self.package.served.provider.renew_ephemeral_resource(&call, request).await {
            Err(error) => self.warn("renewal failed", &error.to_string()),
            Ok(RenewEphemeralResourceResponse { diagnostics, renew_at, private }) => {
                let failed = self.tell("renewal failed", &diagnostics);
                // A provider that fails may forget to hand them back, and they are needed to close it.
                if !failed || !private.is_empty() {
                    self.private = private;
                }
                let soonest = SystemTime::now() + SHORTEST_INTERVAL;
                self.renew_at = renew_at.filter(|_| !failed).map(|at| at.max(soonest));
            }
        }
    }

    async fn close(self) {
        let request =
            CloseEphemeralResourceRequest { type_name: Arc::clone(&self.type_name), private: self.private.clone() };
        match self.package.served.provider.close_ephemeral_resource(&self.call(), request).await {
            Err(error) => self.warn("closing failed", &error.to_string()),
            Ok(answer) => drop(self.tell("closing failed", &answer.diagnostics)),
        }
    }

    fn call(&self) -> Call {
        Call::new().with_log(self.log.about(""))
    }

    /// Passes on what the provider says; whether there was an error.
    fn tell(&self, what: &str, diagnostics: &Diagnostics) -> bool {
        error_texts(diagnostics, &self.fields).iter().for_each(|text| self.warn(what, text));
        for warning in diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning) {
            self.line(&diagnostic_text(warning, &self.fields));
        }
        diagnostics.has_errors()
    }

    /// A warning, since no operation fails by it: what needs the ephemeral resource will say so itself.
    fn warn(&self, what: &str, reason: &str) {
        self.line(&format!("{what}: {reason}"));
    }

    fn line(&self, text: &str) {
        let (package, name) = (&self.package.served, &self.name);
        let names = [&self.fields, &package.package.names.provider];
        let wording = Wording::of(&names, package.conventions.quotes_names_as_go_does());
        self.log.line(LogSeverity::Warning, "", format!("provider {}: {name}: {}", package.name, wording.apply(text)));
    }
}

/// Waits until the clock shows a time.
async fn reached(time: SystemTime) {
    while let Ok(left) = time.duration_since(SystemTime::now()) {
        if left.is_zero() {
            return;
        }
        tokio::time::sleep(left.min(LONGEST_SLEEP)).await;
    }
}
