//! The hooks of one provider: what is asked before and after each of its procedures, in terms of the seam.
//!
//! Whoever passes requests on to the provider calls `before_…` with the request and `after_…` with what came back. A refusal
//! answers the request in the provider's place; what else there is to say is added to the provider's answer. Nothing here
//! can change a request, a plan or a state.

mod about;
mod actions;
mod apply;
mod configure;
mod counting;
mod plan;
mod previews;
mod reads;
mod refresh;
mod repeats;
mod stages;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use denobridge_core::call::PulumiStep;
use denobridge_core::provider::GetProviderSchemaResponse;
use denobridge_core::schema::ProviderSchema;
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics, DynamicValue};

use crate::Hook;
use crate::configuration::Values;
use crate::engine::{Engine, Outcome, Question, Who};
use crate::protocol::{
    Action, DiagnosticMessage, Event, Host, HostKind, InstanceEvent, Operation, Phase, Provider, Run,
};
use crate::redaction::{self, View};
use crate::run::{HostProcess, Place, operation_of};
use crate::state_file::Addresses;

use about::{About, ComponentKind, Components};
pub(crate) use plan::plan_of_deletion;
use previews::Previews;
use repeats::Repeats;
use stages::Stages;

/// What is known of a provider and its host before anything happens.
#[derive(Clone, Debug)]
pub struct HooksOptions {
    /// The provider's source address.
    pub provider: Arc<str>,
    /// What tells this configuration of the provider from others, where it is known.
    pub alias_hint: Option<Arc<str>>,
    /// The kind of host that this process serves.
    pub kind: HostKind,
    /// The host's process.
    pub host: HostProcess,
    /// Where the host works.
    pub directory: PathBuf,
}

/// The hooks of one provider.
pub struct Hooks {
    engine: Arc<Engine>,
    provider: Provider,
    kind: HostKind,
    place: Place,
    /// Pulumi's stack, once a URN has said it.
    stack: OnceLock<Arc<str>>,
    /// What the user has asked for, as far as the command line says it.
    asked_for: Operation,
    previews: Previews,
    /// Whether it has waited for what becomes of the apply.
    has_waited: AtomicBool,
    host: Mutex<Host>,
    schema: OnceLock<Arc<ProviderSchema>>,
    components: Components,
    sequence: AtomicU64,
    /// How many requests there were to ask about.
    asked_about: AtomicU64,
    stages: Mutex<Stages>,
    /// Held while a stage begins, so that nothing is asked before its start has been.
    beginning: tokio::sync::Mutex<()>,
    repeats: Repeats,
    /// What imports have found and nobody has read yet.
    imported: Mutex<Vec<(Arc<str>, DynamicValue)>>,
    addresses: OnceLock<Addresses>,
}

/// Everything that was asked about one request, until its answer is there.
struct Pending {
    about: About,
    /// What is to be said with the answer already.
    said: Diagnostics,
    began: Instant,
}

impl Pending {
    fn milliseconds(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Hooks {
    /// The hooks of a provider. Nothing is started or asked yet.
    #[must_use]
    pub fn new(engine: Arc<Engine>, options: HooksOptions) -> Self {
        let HooksOptions { provider, alias_hint, kind, host, directory } = options;
        let fallback = match kind {
            HostKind::Terraform => "terraform",
            HostKind::Pulumi => "pulumi",
        };
        let name = host.program().unwrap_or_else(|| fallback.to_owned());
        Self {
            engine,
            provider: Provider { address: provider, alias_hint },
            kind,
            place: Place::of(kind, &directory, |name| std::env::var(name).ok()),
            stack: OnceLock::new(),
            asked_for: operation_of(host.arguments()),
            previews: Previews::default(),
            has_waited: AtomicBool::new(false),
            host: Mutex::new(Host { name, version: None, kind }),
            schema: OnceLock::new(),
            components: Components::default(),
            sequence: AtomicU64::new(0),
            asked_about: AtomicU64::new(0),
            stages: Mutex::default(),
            beginning: tokio::sync::Mutex::default(),
            repeats: Repeats::default(),
            imported: Mutex::default(),
            addresses: OnceLock::new(),
        }
    }

    /// The engine that asks.
    #[must_use]
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The host tells the provider to stop.
    pub(crate) fn stop(&self) {
        self.engine.stop(self.kind);
    }

    /// Takes note of the provider's schema. Without one, nothing can be told of values, and whatever is hard is refused.
    pub(crate) fn learn_schema(&self, answer: &GetProviderSchemaResponse) {
        if !answer.diagnostics.has_errors() {
            let _ = self.schema.set(Arc::clone(&answer.schema));
        }
    }

    /// Whether plans of deletions are wanted, which Terraform asks for only where the provider says that it wants them.
    #[must_use]
    pub fn wants_plans_of_deletions(&self) -> bool {
        self.engine.may_ask(&[Hook::PrePlan, Hook::PostPlan], &self.provider.address)
    }

    /// Asks all integrations about an instance.
    async fn ask(
        &self,
        call: &Call,
        hook: Hook,
        about: &About,
        action: Option<Action>,
        event: impl Fn(&View<'_>) -> InstanceEvent,
    ) -> Outcome {
        let (run, host) = (self.run(), self.host());
        let question = Question {
            hook,
            run: &run,
            host: &host,
            who: Who::Of(&self.provider.address),
            number: about.number,
            type_name: Some(&about.resource.type_name),
            id: about.resource.id.as_deref(),
            action,
            label: &about.label,
            repeated: about.repeated,
            log: Some(call.log_sink()),
        };
        let message = |view: &View<'_>| {
            let event = Box::new(event(view));
            let mut resource = about.resource.clone();
            // An id and an identity are values, too.
            if view.values == Values::None
                || view.attributes.is_some_and(|names| !names.iter().any(|name| name == "id"))
            {
                (resource.id, resource.identity) = (None, None);
            }
            Event::Instance { run: run.clone(), resource, event }
        };
        self.engine.ask(&question, message).await
    }

    /// Asks about something before it happens. The error answers the request in the provider's place; `said` comes before
    /// whatever is said.
    async fn admit(
        &self,
        call: &Call,
        hook: Hook,
        about: About,
        action: Option<Action>,
        mut said: Diagnostics,
        event: impl Fn(&About, &View<'_>) -> InstanceEvent,
    ) -> Result<Pending, Diagnostics> {
        let outcome = self.ask(call, hook, &about, action, |view| event(&about, view)).await;
        said.extend(outcome.diagnostics);
        if outcome.denied {
            self.stages().count(|counts| counts.failed += 1);
            return Err(said);
        }
        Ok(Pending { about, said, began: Instant::now() })
    }

    /// What becomes of a request that integrations cannot be told of. The error answers it in the provider's place.
    fn refused(&self, hook: Hook, type_name: &str, reason: &str) -> Result<Diagnostics, Diagnostics> {
        let Outcome { diagnostics, denied } = self.engine.cannot_ask(hook, &self.provider.address, type_name, reason);
        if denied { Err(diagnostics) } else { Ok(diagnostics) }
    }

    /// What tells one resource from others of its type before it has an id.
    fn subject<'c>(&self, call: &'c Call) -> Option<&'c str> {
        call.subject().filter(|_| self.kind == HostKind::Pulumi)
    }

    /// What the provider has to say, or why it says nothing.
    fn diagnostics_of<T>(
        &self,
        answer: Result<&T, &CallError>,
        diagnostics: impl Fn(&T) -> &Diagnostics,
    ) -> Vec<DiagnosticMessage> {
        let known = self.engine.known();
        match answer {
            Ok(answer) => redaction::diagnostics(diagnostics(answer), known),
            Err(error) => redaction::diagnostics(&Diagnostic::error(error.to_string(), "").into(), known),
        }
    }

    /// The run as of now, for one event.
    fn run(&self) -> Run {
        let stages = self.stages();
        Run {
            id: Arc::clone(self.engine.run().id()),
            seq: self.sequence.fetch_add(1, Ordering::Relaxed) + 1,
            host: self.kind,
            operation: stages.operation(self.asked_for),
            stage: stages.stage(),
            pass: stages.pass(),
            phase: stages.phase(),
            workspace: self.place.workspace.clone().or_else(|| self.stack.get().cloned()),
            project: self.place.project.clone(),
            provider: Some(self.provider.clone()),
        }
    }

    fn host(&self) -> Host {
        self.host.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn stages(&self) -> MutexGuard<'_, Stages> {
        self.stages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn phase(&self) -> Phase {
        self.stages().phase()
    }
}

/// The step of Pulumi's that a call belongs to; none for Terraform's.
fn pulumi_step(call: &Call) -> Option<&'static str> {
    call.extension::<PulumiStep>().map(|step| step.verb)
}

/// What came back from a provider, as far as hooks are concerned.
fn failed<T>(answer: Result<&T, &CallError>, diagnostics: impl Fn(&T) -> &Diagnostics) -> bool {
    answer.map_or(true, |answer| diagnostics(answer).has_errors())
}
