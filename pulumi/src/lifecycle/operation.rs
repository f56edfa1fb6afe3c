//! One operation on one resource, function or provider: whom it is about, what bounds it, and how it reports.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use denobridge_core::call::PulumiStep;
use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::rules::Violation;
use denobridge_core::schema::Schema;
use denobridge_core::{Call, CallError, Diagnostics, DynamicValue, Provider, Severity};
use denobridge_sdk_gen::{ComponentKind, ComponentNames, ObjectNames};
use tokio_util::sync::CancellationToken;

use crate::conventions::Conventions;
use crate::engine::EngineLog;
use crate::errors::{Failure, diagnostic_text, error_texts, in_seconds, joined, violation_text};
use crate::package::LoadedPackage;
use crate::property_value::PropertyMap;
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

    /// Whether it is a provider, or, from an engine that does not say, must be one.
    pub(crate) fn is_provider(&self) -> bool {
        self.token.is_empty() || self.token.starts_with("pulumi:providers:")
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

/// One operation on one resource or function, or on the provider itself.
pub(crate) struct Operation {
    pub(crate) package: Arc<LoadedPackage>,
    pub(crate) subject: Subject,
    /// Terraform's name of the component; empty for the provider itself.
    pub(crate) type_name: Arc<str>,
    /// What it is about; none for the provider itself.
    component: Option<Arc<ComponentNames>>,
    /// What the user would call it: `create`, `read`, …; also the name of its limit among `customTimeouts`.
    verb: &'static str,
    engine: EngineLog,
    call: Call,
    limits: Limits,
    timed_out: AtomicBool,
}

impl Operation {
    /// An operation on a resource, which may be an action.
    pub(crate) fn on_resource(
        verb: &'static str,
        package: Arc<LoadedPackage>,
        subject: Subject,
        surroundings: Surroundings,
    ) -> Result<Self, Failure> {
        match package.served.package.names.resource(&subject.token).cloned() {
            Some(component) => Ok(Self::new(verb, package, subject, Some(component), surroundings)),
            None => Err(unknown(&package, "resource type", &subject.token)),
        }
    }

    /// A call of a function.
    pub(crate) fn on_function(
        package: Arc<LoadedPackage>,
        token: String,
        surroundings: Surroundings,
    ) -> Result<Self, Failure> {
        match package.served.package.names.function(&token).cloned() {
            Some(component) => {
                let subject = Subject { token, ..Subject::default() };
                Ok(Self::new("call", package, subject, Some(component), surroundings))
            }
            None => Err(unknown(&package, "function", &token)),
        }
    }

    /// An operation on the provider itself.
    pub(crate) fn on_provider(
        verb: &'static str,
        package: Arc<LoadedPackage>,
        subject: Subject,
        surroundings: Surroundings,
    ) -> Self {
        Self::new(verb, package, subject, None, surroundings)
    }

    fn new(
        verb: &'static str,
        package: Arc<LoadedPackage>,
        subject: Subject,
        component: Option<Arc<ComponentNames>>,
        surroundings: Surroundings,
    ) -> Self {
        let type_name = component.as_ref().map(|names| Arc::clone(&names.type_name)).unwrap_or_default();
        let Surroundings { engine, cancellation, limits } = surroundings;
        let log = engine.about(&subject.urn);
        let call = Call::new()
            .with_cancellation(cancellation)
            .with_deadline(limits.timeout.and_then(|timeout| Instant::now().checked_add(timeout)))
            .with_subject(subject.urn.as_str())
            .with_extension(Arc::new(PulumiStep { verb }))
            .with_progress(Arc::clone(&log) as _)
            .with_log(log);
        let timed_out = AtomicBool::new(false);
        Self { package, subject, type_name, component, verb, engine, call, limits, timed_out }
    }

    /// The same operation as a preview or not.
    pub(crate) fn preview(mut self, preview: bool) -> Self {
        self.call = self.call.with_preview(preview);
        self
    }

    pub(crate) fn is_preview(&self) -> bool {
        self.call.preview()
    }

    /// Whose habits the package follows.
    pub(crate) fn conventions(&self) -> Conventions {
        self.package.served.conventions
    }

    /// What the user would call the operation.
    pub(crate) fn verb(&self) -> &'static str {
        self.verb
    }

    /// The user's limit for the operation.
    pub(crate) fn timeout(&self) -> Option<Duration> {
        self.limits.timeout
    }

    pub(crate) fn component(&self) -> Option<&Arc<ComponentNames>> {
        self.component.as_ref()
    }

    /// What kind of component it is about; none for the provider itself.
    pub(crate) fn kind(&self) -> Option<ComponentKind> {
        self.component.as_ref().map(|component| component.kind)
    }

    pub(crate) fn fields(&self) -> &ObjectNames {
        match &self.component {
            Some(component) => &component.fields,
            None => &self.package.served.package.names.provider,
        }
    }

    /// The inputs that the provider does not get.
    pub(crate) fn own_names(&self) -> Arc<ObjectNames> {
        self.component.as_ref().map(|component| Arc::clone(&component.own)).unwrap_or_default()
    }

    /// The schema of the component, or of the provider's configuration.
    pub(crate) fn schema(&self) -> Result<&Schema, Failure> {
        let schema = match &self.component {
            Some(component) => self.package.schema_of(component),
            None => Some(&self.package.schema.provider),
        };
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
                "the provider did not say within {} what became of the resource",
                in_seconds(self.limits.grace)
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
        let limit = in_seconds(timeout);
        Some(format!("not done within {limit}, the limit that `customTimeouts.{}` sets", self.verb))
    }

    fn message(&self, what: &str) -> String {
        // A diff always looks ahead, and so never says.
        let looks_ahead = self.is_preview() && self.verb != "diff";
        let when = if looks_ahead { " in the preview" } else { "" };
        let did = match self.kind() {
            None => self.verb.to_owned(),
            Some(kind) if kind.is_resource() => format!("{} of {:?}", self.verb, self.subject.name),
            Some(_) => self.function_name().to_owned(),
        };
        format!("provider {}: {did} failed{when}: {}", self.package.served.name, self.worded(what))
    }

    pub(crate) fn engine_log(&self) -> EngineLog {
        self.engine.clone()
    }

    /// What programs call the function: `getServer`.
    pub(crate) fn function_name(&self) -> &str {
        self.subject.token.rsplit(':').next().unwrap_or_default()
    }

    /// What the provider says, with names as they are in programs, and without secrets.
    pub(crate) fn worded(&self, text: &str) -> String {
        let provider = &self.package.served.package.names.provider;
        let wording = Wording::of(&[self.fields(), provider], self.conventions().quotes_names_as_go_does());
        self.engine.masked(&wording.apply(text))
    }

    /// Remembers what is secret in properties, so that no message shows it.
    pub(crate) fn learn(&self, properties: &[&PropertyMap]) {
        properties.iter().for_each(|properties| self.engine.learn(properties));
    }

    /// Remembers what is secret in a value that the provider has something to say about.
    pub(crate) fn learn_from(&self, diagnostics: &Diagnostics, value: &Value) {
        if !diagnostics.is_empty()
            && let Ok(schema) = self.schema()
        {
            self.engine.learn_value(&schema.block, value);
        }
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
            self.warn_once(&self.worded(&diagnostic_text(warning, self.fields())));
        }
    }

    /// Warns about what the operation is about, unless that was said already.
    pub(crate) fn warn_once(&self, text: &str) {
        self.engine.warn_once(&self.subject.urn, text);
    }

    /// The errors among diagnostics, as texts. A limit that was reached is the first reason: the provider only knows
    /// that it was told to stop.
    pub(crate) fn reasons(&self, diagnostics: &Diagnostics) -> Vec<String> {
        let mut reasons = distinct(error_texts(diagnostics, self.fields()));
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
        distinct(violations.iter().map(|violation| violation_text(violation, self.fields())))
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

/// Texts without repetitions: the same may be wrong with every element of a set, and some providers say it for each.
fn distinct(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut distinct = Vec::new();
    for text in texts {
        if !distinct.contains(&text) {
            distinct.push(text);
        }
    }
    distinct
}

fn unknown(package: &LoadedPackage, what: &str, token: &str) -> Failure {
    let served = &package.served;
    Failure::InvalidRequest(format!("the package {} (version {}) has no {what} `{token}`", served.name, served.version))
}
