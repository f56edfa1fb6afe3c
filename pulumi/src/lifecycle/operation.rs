//! One operation on one resource: whom it is about, what bounds it, and how it reports.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::rules::Violation;
use denobridge_core::schema::Schema;
use denobridge_core::{Call, CallError, Diagnostics, DynamicValue, Provider, Severity};
use denobridge_sdk_gen::ObjectNames;
use tokio_util::sync::CancellationToken;

use crate::engine::EngineLog;
use crate::errors::{Failure, diagnostic_text, error_texts, joined, violation_text};
use crate::package::LoadedPackage;
use crate::wording::Wording;

/// Which resource an operation is about, as the engine says it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subject {
    pub(crate) urn: String,
    /// Empty where the engine did not say: then the URN tells.
    pub(crate) name: String,
    /// Empty where the engine did not say: then the URN tells.
    pub(crate) token: String,
}

impl Subject {
    pub(crate) fn new(urn: String, name: String, token: String) -> Self {
        let mut parts = urn.split("::").skip(2);
        let from_urn = parts.next().and_then(|types| types.rsplit('$').next()).unwrap_or_default().to_owned();
        let rest: Vec<&str> = parts.collect();
        let name = if name.is_empty() { rest.join("::") } else { name };
        let token = if token.is_empty() { from_urn } else { token };
        Self { urn, name, token }
    }

    /// The package of the token: `acme` of `acme:index:Server`, and of the provider token `pulumi:providers:acme`.
    pub(crate) fn package(&self) -> &str {
        let provider = self.token.strip_prefix("pulumi:providers:");
        provider.unwrap_or_else(|| self.token.split(':').next().unwrap_or_default())
    }
}

/// How long an operation may take, and who said so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The user's limit for this operation; none: as long as it takes.
    pub(crate) timeout: Option<Duration>,
    /// How long a provider may go on after it was told to stop.
    pub(crate) grace: Duration,
}

/// What bounds an operation and whom it tells.
#[derive(Clone)]
pub(crate) struct Surroundings {
    pub(crate) engine: EngineLog,
    pub(crate) cancellation: CancellationToken,
    pub(crate) limits: Limits,
}

/// One operation on one resource, or on the provider itself.
pub(crate) struct Operation {
    pub(crate) package: Arc<LoadedPackage>,
    pub(crate) subject: Subject,
    /// Terraform's name of the resource type; empty for the provider itself.
    pub(crate) type_name: Arc<str>,
    fields: Arc<ObjectNames>,
    /// What the user would call it: `create`, `read`, …; also the name of its limit among `customTimeouts`.
    verb: &'static str,
    engine: EngineLog,
    call: Call,
    limits: Limits,
    timed_out: AtomicBool,
}

impl Operation {
    /// An operation on a resource.
    pub(crate) fn on_resource(
        verb: &'static str,
        package: Arc<LoadedPackage>,
        subject: Subject,
        surroundings: Surroundings,
    ) -> Result<Self, Failure> {
        let Some((names, _)) = package.resource(&subject.token) else {
            let served = &package.served;
            return Err(Failure::InvalidRequest(format!(
                "the package {} (version {}) has no resource type `{}`",
                served.name, served.version, subject.token
            )));
        };
        let (type_name, fields) = (Arc::clone(&names.type_name), Arc::clone(&names.fields));
        Ok(Self::new(verb, package, subject, type_name, fields, surroundings))
    }

    /// An operation on the provider itself.
    pub(crate) fn on_provider(
        verb: &'static str,
        package: Arc<LoadedPackage>,
        subject: Subject,
        surroundings: Surroundings,
    ) -> Self {
        let fields = Arc::clone(&package.served.package.names.provider);
        Self::new(verb, package, subject, Arc::from(""), fields, surroundings)
    }

    fn new(
        verb: &'static str,
        package: Arc<LoadedPackage>,
        subject: Subject,
        type_name: Arc<str>,
        fields: Arc<ObjectNames>,
        surroundings: Surroundings,
    ) -> Self {
        let Surroundings { engine, cancellation, limits } = surroundings;
        let log = engine.about(&subject.urn);
        let call = Call::new()
            .with_cancellation(cancellation)
            .with_deadline(limits.timeout.and_then(|timeout| Instant::now().checked_add(timeout)))
            .with_subject(subject.urn.as_str())
            .with_progress(Arc::clone(&log) as _)
            .with_log(log);
        Self { package, subject, type_name, fields, verb, engine, call, limits, timed_out: AtomicBool::new(false) }
    }

    /// The same operation as a preview or not.
    pub(crate) fn preview(mut self, preview: bool) -> Self {
        self.call = self.call.with_preview(preview);
        self
    }

    pub(crate) fn is_preview(&self) -> bool {
        self.call.preview()
    }

    pub(crate) fn fields(&self) -> &ObjectNames {
        &self.fields
    }

    /// The schema of the resource, or of the provider's configuration.
    pub(crate) fn schema(&self) -> Result<&Schema, Failure> {
        if self.type_name.is_empty() {
            return Ok(&self.package.schema.provider);
        }
        let schema = self.package.schema.resources.get(&self.type_name);
        schema.ok_or_else(|| Failure::Bridge(format!("no schema for {}", self.type_name)))
    }

    /// Asks the provider, within the limits. After the user has cancelled or the time is up, the provider is told to
    /// stop and has a grace period to say what became of the resource: what exists must not be lost.
    pub(crate) async fn ask<'a, T, F>(
        &'a self,
        request: impl FnOnce(&'a dyn Provider, &'a Call) -> F,
    ) -> Result<T, Failure>
    where
        F: Future<Output = Result<T, CallError>> + Send + 'a,
    {
        let cancellation = self.call.cancellation();
        // What was called off between two steps must not go on to the next: it may be the one that changes something.
        if cancellation.is_cancelled() {
            return Err(self.stopped("the provider was not asked any more"));
        }
        let answer = request(&*self.package.served.provider, &self.call);
        tokio::pin!(answer);
        let time_is_up = async {
            match self.call.deadline() {
                Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            answer = &mut answer => return answer.map_err(|error| self.no_answer(&error)),
            () = cancellation.cancelled() => {}
            () = time_is_up => {
                self.timed_out.store(true, Ordering::Relaxed);
                cancellation.cancel();
            }
        }
        match tokio::time::timeout(self.limits.grace, answer).await {
            Ok(answer) => answer.map_err(|error| self.no_answer(&error)),
            Err(_) => Err(self.stopped(&format!(
                "the provider did not say within {} seconds what became of the resource",
                self.limits.grace.as_secs_f64()
            ))),
        }
    }

    fn no_answer(&self, error: &CallError) -> Failure {
        match error {
            CallError::Cancelled | CallError::DeadlineExceeded { .. } if self.timed_out.load(Ordering::Relaxed) => {
                self.stopped("the provider has stopped")
            }
            CallError::Cancelled => self.stopped("the provider has stopped"),
            other => Failure::Provider(self.message(&other.to_string())),
        }
    }

    fn stopped(&self, what: &str) -> Failure {
        match self.limit_reached() {
            Some(limit) => Failure::TimedOut(self.message(&format!("{limit}; {what}"))),
            None => Failure::Cancelled(self.message(&format!("cancelled; {what}"))),
        }
    }

    /// What to say if the user's limit was reached.
    fn limit_reached(&self) -> Option<String> {
        let timeout = self.limits.timeout.filter(|_| self.timed_out.load(Ordering::Relaxed))?;
        let seconds = timeout.as_secs_f64();
        Some(format!("not done within {seconds} seconds, the limit that `customTimeouts.{}` sets", self.verb))
    }

    fn message(&self, what: &str) -> String {
        // A diff always looks ahead, and so never says.
        let looks_ahead = self.is_preview() && self.verb != "diff";
        let (verb, when) = (self.verb, if looks_ahead { " in the preview" } else { "" });
        let of = if self.type_name.is_empty() { String::new() } else { format!(" of {:?}", self.subject.name) };
        format!("provider {}: {verb}{of} failed{when}: {}", self.package.served.name, self.worded(what))
    }

    /// What the provider says, with names as they are in programs.
    pub(crate) fn worded(&self, text: &str) -> String {
        let provider = &self.package.served.package.names.provider;
        Wording::of(&[self.fields(), provider]).apply(text).into_owned()
    }

    /// Passes warnings on, and makes a failure of errors.
    pub(crate) fn settle(&self, diagnostics: &Diagnostics) -> Result<(), Failure> {
        self.warn(diagnostics);
        match self.reasons(diagnostics) {
            reasons if reasons.is_empty() => Ok(()),
            reasons => Err(self.failed(&reasons)),
        }
    }

    /// Passes warnings on.
    pub(crate) fn warn(&self, diagnostics: &Diagnostics) {
        for warning in diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Warning) {
            let text = self.worded(&diagnostic_text(warning, self.fields()));
            self.engine.warn_once(&self.subject.urn, text);
        }
    }

    /// The errors among diagnostics, as texts. A limit that was reached is the first reason: the provider only knows
    /// that it was told to stop.
    pub(crate) fn reasons(&self, diagnostics: &Diagnostics) -> Vec<String> {
        let mut reasons = error_texts(diagnostics, self.fields());
        if !reasons.is_empty()
            && let Some(limit) = self.limit_reached()
        {
            reasons.insert(0, limit);
        }
        reasons
    }

    /// One reason of several, where the engine shows each by itself.
    pub(crate) fn reason(&self, reason: &str) -> String {
        format!("provider {}: {}", self.package.served.name, self.worded(reason))
    }

    /// A failure for these reasons.
    pub(crate) fn failed(&self, reasons: &[String]) -> Failure {
        Failure::Provider(self.message(&joined(reasons)))
    }

    /// Broken rules as texts.
    pub(crate) fn broken(&self, violations: &[Violation]) -> Vec<String> {
        violations.iter().map(|violation| violation_text(violation, self.fields())).collect()
    }

    /// Fails if rules are broken.
    pub(crate) fn require(&self, violations: &[Violation]) -> Result<(), Failure> {
        if violations.is_empty() { Ok(()) } else { Err(self.failed(&self.broken(violations))) }
    }

    /// An object that the provider returned.
    pub(crate) fn decode(&self, value: &DynamicValue, ty: &Type) -> Result<Value, Failure> {
        value.decode(ty).map_err(|error| self.failed(&[format!("the provider returned an invalid object: {error}")]))
    }
}
