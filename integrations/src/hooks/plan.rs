//! Around PlanResourceChange.

use denobridge_core::cty::Value;
use denobridge_core::planning::{self, decide_action};
use denobridge_core::provider::{PlanResourceChangeRequest, PlanResourceChangeResponse};
use denobridge_core::{Call, CallError, Diagnostics};

use super::repeats::Kind;
use super::{About, ComponentKind, Hooks, Pending, previews, pulumi_step};
use crate::Hook;
use crate::protocol::{Action, HostKind, InstanceEvent, Phase};
use crate::redaction::{View, path_text};

/// A plan that integrations have agreed to.
pub(crate) struct Planning(Option<Asked>);

struct Asked {
    pending: Pending,
    prior: Value,
    /// What tells it from others, where Pulumi may plan it again.
    plan: Option<String>,
}

impl Hooks {
    /// Before PlanResourceChange.
    ///
    /// # Errors
    /// What answers the request in the provider's place.
    pub(crate) async fn before_plan(
        &self,
        call: &Call,
        request: &PlanResourceChangeRequest,
    ) -> Result<Planning, Diagnostics> {
        let name = &request.type_name;
        let component = self.component(ComponentKind::Resource, name);
        let plan = component
            .as_ref()
            .zip(self.subject(call))
            .and_then(|(component, urn)| previews::plan(urn, &component.ty, request));
        if self.is_silent_plan(call, request, plan.as_ref()) {
            return Ok(Planning(None));
        }
        let Some(component) = component else {
            return self.refused(Hook::PrePlan, name, "its schema is not known").map(|_| Planning(None));
        };
        let values = [&request.prior_state, &request.proposed_new_state, &request.config];
        let [prior, proposed, _] = match self.read(&component, values) {
            Ok(values) => values,
            Err(reason) => return self.refused(Hook::PrePlan, name, &reason).map(|_| Planning(None)),
        };
        let identity = self.identity(name, request.prior_identity.as_ref());
        let mut about = self.about(call, name, component, &[&prior, &proposed], identity);
        about.repeated =
            self.phase() == Phase::Apply && (self.kind == HostKind::Terraform || self.previews.has(plan.as_ref()));
        let event = |about: &About, view: &View<'_>| InstanceEvent {
            prior_state: Some(self.state(about, &prior, view)),
            proposed_state: Some(self.state(about, &proposed, view)),
            ..InstanceEvent::default()
        };
        let pending = self.admit(call, Hook::PrePlan, about, None, Diagnostics::new(), event).await?;
        Ok(Planning(Some(Asked { pending, prior, plan })))
    }

    /// After PlanResourceChange: what is to be added to the answer.
    pub(crate) async fn after_plan(
        &self,
        call: &Call,
        request: &PlanResourceChangeRequest,
        planning: Planning,
        answer: Result<&PlanResourceChangeResponse, &CallError>,
    ) -> Diagnostics {
        let Some(Asked { pending, prior, plan }) = planning.0 else { return Diagnostics::new() };
        let duration_ms = pending.milliseconds();
        let Pending { about, mut said, .. } = pending;
        let failed = super::failed(answer, |answer| &answer.diagnostics);
        let planned = answer.ok().and_then(|answer| answer.planned_state.decode(about.ty()).ok());
        let planned = planned.filter(|_| !failed || answer.is_ok_and(|answer| !answer.planned_state.is_null()));
        let decision = planned.as_ref().map(|planned| {
            let paths = answer.map(|answer| answer.requires_replace.as_slice()).unwrap_or_default();
            decide_action(about.block(), &prior, planned, paths)
        });
        if let Some(planned) = &planned {
            self.engine.known().learn(about.block(), planned);
        }
        let action = decision.as_ref().map(|decision| Action::from(decision.action));
        let is_repeated = self.phase() == Phase::Apply;
        self.stages().count(|counts| match action {
            // What an apply plans again is counted when it is made.
            Some(_) if !failed && is_repeated => {}
            Some(action) if !failed => counts.add(action),
            _ => counts.failed += 1,
        });
        if action == Some(Action::Replace) {
            self.repeats.expect(Kind::Creation, &request.type_name, self.subject(call), &request.config);
        }
        if pulumi_step(call) == Some("diff") {
            self.repeats.expect(Kind::Preview, &request.type_name, self.subject(call), &request.config);
        }
        let requires_replace: Vec<String> =
            decision.iter().flat_map(|decision| &decision.requires_replace).map(path_text).collect();
        let diagnostics = self.diagnostics_of(answer, |answer| &answer.diagnostics);
        let event = |view: &View<'_>| InstanceEvent {
            action,
            prior_state: Some(self.state(&about, &prior, view)),
            planned_state: Some(self.resulting(&about, planned.as_ref(), view)),
            requires_replace: Some(requires_replace.clone()),
            diagnostics: Some(diagnostics.clone()),
            duration_ms: Some(duration_ms),
            ..InstanceEvent::default()
        };
        said.extend(self.ask(call, Hook::PostPlan, &about, action, event).await.diagnostics);
        if let Some(plan) = plan.filter(|_| !failed && !said.has_errors()) {
            self.previews.add(plan);
        }
        said
    }

    /// Whether a plan is part of something else that is asked about.
    fn is_silent_plan(&self, call: &Call, request: &PlanResourceChangeRequest, plan: Option<&String>) -> bool {
        let (name, config) = (&request.type_name, &request.config);
        let is_creation = request.prior_state.is_null();
        if plan.is_some_and(|plan| self.previews.has_now(plan)) {
            return true;
        }
        if is_creation && self.repeats.take(Kind::Creation, name, self.subject(call), config) {
            return true;
        }
        match pulumi_step(call) {
            Some("read") => true,
            // Of what was not in the preview, or not so, this is the only plan.
            Some("create") if !call.preview() => self.previews.has(plan),
            Some("update" | "delete") if !call.preview() => true,
            Some("create" | "update") => self.repeats.take(Kind::Preview, name, self.subject(call), config),
            _ => false,
        }
    }
}

impl Action {
    /// As it is written everywhere.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Replace => "replace",
            Self::Delete => "delete",
            Self::NoOp => "no-op",
        }
    }
}

impl From<planning::Action> for Action {
    fn from(action: planning::Action) -> Self {
        match action {
            planning::Action::NoOp => Self::NoOp,
            planning::Action::Create => Self::Create,
            planning::Action::Update => Self::Update,
            planning::Action::Replace => Self::Replace,
            planning::Action::Delete => Self::Delete,
        }
    }
}

/// The answer to a plan of a deletion, in the place of a provider that makes none: nothing is left, as Terraform assumes then.
pub(crate) fn plan_of_deletion(request: &PlanResourceChangeRequest) -> PlanResourceChangeResponse {
    PlanResourceChangeResponse {
        planned_state: request.proposed_new_state.clone(),
        planned_private: request.prior_private.clone(),
        planned_identity: request.prior_identity.clone(),
        ..PlanResourceChangeResponse::default()
    }
}
