//! The beginning and the end of stages: at ConfigureProvider, at the first change, and at the end of the process.
//!
//! Terraform starts a process for each walk of its graph, and says in ConfigureProvider whether a provider may defer, which it
//! does when it applies only (measured with 1.9 to 1.14). Pulumi starts one for each deployment, and says nothing: its update
//! is what comes after a preview in the same run, or what begins with a real change.

use std::sync::atomic::Ordering;
use std::time::Duration;

use denobridge_core::provider::{ConfigureProviderRequest, ConfigureProviderResponse};
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics};

use super::{Hooks, failed};
use crate::Hook;
use crate::engine::{Label, Outcome, Question, Who};
use crate::protocol::{HostKind, Stage, StageEvent};
use crate::run::Verdict;

/// How long to wait for what becomes of the apply. A process that has ended is not waited for.
const VERDICT: Duration = Duration::from_secs(10);

impl Hooks {
    /// Before ConfigureProvider.
    ///
    /// # Errors
    /// What answers the request in the provider's place.
    pub(crate) async fn before_configure(
        &self,
        call: &Call,
        request: &ConfigureProviderRequest,
    ) -> Result<Diagnostics, Diagnostics> {
        // A host that stays attached configures again for its next walk, without an end in between.
        self.end_walk(Some(call)).await;
        self.previews.begin(self.engine.run(), &self.provider.address);
        if !request.terraform_version.is_empty() && self.kind == HostKind::Terraform {
            let mut host = self.host.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            host.version = Some(request.terraform_version.clone());
        }
        self.learn_configuration(request);
        self.learn_stack(call);
        if self.applies(request) {
            self.admit_changes().await?;
        }
        self.ask_about_stage(Some(call), Hook::InitStageStart, None).await
    }

    /// After ConfigureProvider. `said` is what was said before.
    pub(crate) async fn after_configure(
        &self,
        call: &Call,
        request: &ConfigureProviderRequest,
        said: Diagnostics,
        answer: Result<&ConfigureProviderResponse, &CallError>,
    ) -> Diagnostics {
        let mut said = said;
        said.extend(
            self.ask_about_stage(Some(call), Hook::InitStageComplete, None).await.unwrap_or_else(|refused| refused),
        );
        if failed(answer, |answer| &answer.diagnostics) {
            return said;
        }
        let stage = if self.applies(request) { Stage::Apply } else { Stage::Plan };
        said.extend(self.begin_stage(call, stage).await.unwrap_or_else(|refused| refused));
        said
    }

    /// Whether a provider that is configured now is to change things.
    fn applies(&self, request: &ConfigureProviderRequest) -> bool {
        match self.kind {
            HostKind::Terraform => request.client_capabilities.deferral_allowed,
            HostKind::Pulumi => self.previews.has_ended(),
        }
    }

    /// What is secret in the configuration is kept from integrations wherever it turns up.
    fn learn_configuration(&self, request: &ConfigureProviderRequest) {
        let Some(schema) = self.schema.get() else { return };
        if let Ok(config) = request.config.decode(&schema.provider.implied_type()) {
            self.engine.known().learn_unseen(&schema.provider.block, &config);
        }
    }

    /// Makes sure that the apply has begun: the first change says so, whatever it looked like before.
    pub(super) async fn require_apply(&self, call: &Call) -> Result<Diagnostics, Diagnostics> {
        let _turn = self.beginning.lock().await;
        if self.stages().open() == Some(Stage::Apply) {
            return Ok(Diagnostics::new());
        }
        // What it did so far was a plan then, which may be refused; but no preview, in which everything new was planned.
        self.end_stage(Some(call)).await;
        self.admit_changes().await?;
        self.begin_stage(call, Stage::Apply).await
    }

    /// Whether changes may begin, or what forbids them: what was said of the plan.
    async fn admit_changes(&self) -> Result<(), Diagnostics> {
        let Outcome { diagnostics, denied: is_denied } = self.engine.before_changes(&self.provider.address).await;
        if is_denied {
            return Err(diagnostics);
        }
        // The process of the plan may still be asking. Not every system says that one has ended: so only once.
        let is_first = !self.has_waited.swap(true, Ordering::Relaxed);
        let _ = tokio::time::timeout(VERDICT, async {
            while is_first && self.engine.run().awaits_verdict() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await;
        match self.engine.run().apply_denied() {
            Some(verdict) => Err(denied(&verdict).into()),
            None => Ok(()),
        }
    }

    async fn begin_stage(&self, call: &Call, stage: Stage) -> Result<Diagnostics, Diagnostics> {
        let pass = if stage == Stage::Plan { self.engine.run().next_pass(&self.provider.address) } else { 1 };
        self.stages().begin(stage, pass);
        let hook = if stage == Stage::Apply { Hook::ApplyStageStart } else { Hook::PlanStageStart };
        self.ask_about_stage(Some(call), hook, None).await
    }

    /// Ends the stage that is open, if any, with the walk that it was of.
    async fn end_walk(&self, call: Option<&Call>) {
        // First of all: Pulumi may not wait until integrations have answered.
        if self.stages().open() == Some(Stage::Plan) {
            self.previews.end(self.engine.run(), &self.provider.address);
        }
        self.end_stage(call).await;
    }

    /// Ends the stage that is open, if any.
    async fn end_stage(&self, call: Option<&Call>) {
        let Some(stage) = self.stages().open() else { return };
        let hook = if stage == Stage::Apply { Hook::ApplyStageComplete } else { Hook::PlanStageComplete };
        let message = self.completed(stage);
        // Nobody can be told anything at the end of a stage; it is in the log and the report.
        let _ = self.ask_about_stage(call, hook, message).await;
        self.stages().end();
    }

    /// What is told of a stage that ends.
    fn completed(&self, stage: Stage) -> Option<StageEvent> {
        let (counts, took) = self.stages().so_far()?;
        Some(StageEvent {
            counts: Some(counts),
            duration_ms: Some(u64::try_from(took.as_millis()).unwrap_or(u64::MAX)),
            summary: Some(counts.summary(stage == Stage::Apply)),
            ..self.stage_event()
        })
    }

    fn stage_event(&self) -> StageEvent {
        StageEvent::of(self.run())
    }

    /// Asks about a stage. The error is a refusal.
    async fn ask_about_stage(
        &self,
        call: Option<&Call>,
        hook: Hook,
        event: Option<StageEvent>,
    ) -> Result<Diagnostics, Diagnostics> {
        let event = event.unwrap_or_else(|| self.stage_event());
        let host = self.host();
        let label = Label::stage(hook);
        let question = Question {
            hook,
            run: &event.run,
            host: &host,
            who: Who::Of(&self.provider.address),
            number: 0,
            type_name: None,
            id: None,
            action: None,
            label: &label,
            repeated: false,
            log: call.map(Call::log_sink),
        };
        let Outcome { diagnostics, denied } = self.engine.ask_about_stage(&question, &event).await;
        if denied { Err(diagnostics) } else { Ok(diagnostics) }
    }

    /// The provider is not asked any more: ends the stage that is open.
    pub async fn finish(&self) {
        self.end_walk(None).await;
    }
}

fn denied(verdict: &Verdict) -> Diagnostic {
    let summary =
        format!("[{}] apply: not begun, since this integration refuses what was planned", verdict.integration);
    Diagnostic::error(summary, verdict.message.clone())
}
