//! Around ApplyResourceChange.

use denobridge_core::cty::Value;
use denobridge_core::provider::{ApplyResourceChangeRequest, ApplyResourceChangeResponse};
use denobridge_core::{Call, CallError, Diagnostics};

use super::{About, ComponentKind, Hooks, Pending};
use crate::Hook;
use crate::protocol::{Action, InstanceEvent};
use crate::redaction::{self, View};

/// A change that integrations have agreed to.
pub(crate) struct Applying(Option<Asked>);

struct Asked {
    pending: Pending,
    prior: Value,
    action: Action,
}

impl Hooks {
    /// Before ApplyResourceChange. A refusal has no state: hosts then keep the one that they have.
    ///
    /// # Errors
    /// What answers the request in the provider's place.
    pub(crate) async fn before_apply(
        &self,
        call: &Call,
        request: &ApplyResourceChangeRequest,
    ) -> Result<Applying, Diagnostics> {
        let said = self.require_apply(call).await?;
        let name = &request.type_name;
        let Some(component) = self.component(ComponentKind::Resource, name) else {
            return self.refused(Hook::PreApply, name, "its schema is not known").map(|_| Applying(None));
        };
        let values = [&request.prior_state, &request.planned_state, &request.config];
        let [prior, planned, _] = match self.read(&component, values) {
            Ok(values) => values,
            Err(reason) => return self.refused(Hook::PreApply, name, &reason).map(|_| Applying(None)),
        };
        let action = match (prior.is_null(), planned.is_null()) {
            (true, _) => Action::Create,
            (false, true) => Action::Delete,
            (false, false) => Action::Update,
        };
        let identity = self.identity(name, request.planned_identity.as_ref());
        let about = self.about(call, name, component, &[&prior, &planned], identity);
        let event = |about: &About, view: &View<'_>| InstanceEvent {
            action: Some(action),
            prior_state: Some(self.state(about, &prior, view)),
            planned_state: Some(self.state(about, &planned, view)),
            ..InstanceEvent::default()
        };
        let pending = self.admit(call, Hook::PreApply, about, Some(action), said, event).await?;
        Ok(Applying(Some(Asked { pending, prior, action })))
    }

    /// After ApplyResourceChange: what is to be added to the answer, never an error.
    pub(crate) async fn after_apply(
        &self,
        call: &Call,
        applying: Applying,
        answer: Result<&ApplyResourceChangeResponse, &CallError>,
    ) -> Diagnostics {
        let Some(Asked { pending, prior, action }) = applying.0 else { return Diagnostics::new() };
        let duration_ms = pending.milliseconds();
        let Pending { mut about, mut said, .. } = pending;
        let new = answer.ok().and_then(|answer| answer.new_state.decode(about.ty()).ok());
        if let Some(new) = &new {
            self.engine.known().learn(about.block(), new);
            // What was made has an id now.
            if about.resource.id.is_none() {
                about.resource.id = redaction::id(about.block(), new, self.engine.known());
            }
        }
        let failed = super::failed(answer, |answer| &answer.diagnostics);
        self.stages().count(|counts| if failed { counts.failed += 1 } else { counts.add(action) });
        let diagnostics = self.diagnostics_of(answer, |answer| &answer.diagnostics);
        let event = |view: &View<'_>| InstanceEvent {
            action: Some(action),
            prior_state: Some(self.state(&about, &prior, view)),
            new_state: Some(self.resulting(&about, new.as_ref(), view)),
            diagnostics: Some(diagnostics.clone()),
            duration_ms: Some(duration_ms),
            ..InstanceEvent::default()
        };
        said.extend(self.ask(call, Hook::PostApply, &about, Some(action), event).await.diagnostics);
        said
    }
}
