//! Around ReadResource, also where it follows an import.

use std::sync::PoisonError;

use denobridge_core::cty::Value;
use denobridge_core::provider::{ImportResourceStateResponse, ReadResourceRequest, ReadResourceResponse};
use denobridge_core::{Call, CallError, Diagnostics, DynamicValue};

use super::about::Component;
use super::{About, ComponentKind, Hooks, Pending};
use crate::Hook;
use crate::protocol::InstanceEvent;
use crate::redaction::{self, View};

/// A refresh that integrations have agreed to.
pub(crate) struct Refreshing(Option<Asked>);

struct Asked {
    pending: Pending,
    prior: Value,
    import: bool,
}

impl Hooks {
    /// Takes note of what an import has found: the reads of it that follow are part of the import.
    pub(crate) fn after_import(&self, answer: &ImportResourceStateResponse) {
        let mut imported = self.imported.lock().unwrap_or_else(PoisonError::into_inner);
        imported.extend(answer.imported_resources.iter().map(|found| (found.type_name.clone(), found.state.clone())));
    }

    /// Whether a state is one that an import has found.
    fn is_import(&self, type_name: &str, component: &Component, state: &Value) -> bool {
        let mut imported = self.imported.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |found: &DynamicValue| found.decode(&component.ty).is_ok_and(|found| found == *state);
        let found = imported.iter().position(|(name, found)| **name == *type_name && is_it(found));
        found.map(|index| imported.swap_remove(index)).is_some()
    }

    /// Before ReadResource.
    ///
    /// # Errors
    /// What answers the request in the provider's place.
    pub(crate) async fn before_refresh(
        &self,
        call: &Call,
        request: &ReadResourceRequest,
    ) -> Result<Refreshing, Diagnostics> {
        let name = &request.type_name;
        let Some(component) = self.component(ComponentKind::Resource, name) else {
            return self.refused(Hook::PreRefresh, name, "its schema is not known").map(|_| Refreshing(None));
        };
        let [prior] = match self.read(&component, [&request.current_state]) {
            Ok(values) => values,
            Err(reason) => return self.refused(Hook::PreRefresh, name, &reason).map(|_| Refreshing(None)),
        };
        let import = self.is_import(name, &component, &prior);
        let identity = self.identity(name, request.current_identity.as_ref());
        let about = self.about(call, name, component, &[&prior], identity);
        let event = |about: &About, view: &View<'_>| InstanceEvent {
            prior_state: Some(self.state(about, &prior, view)),
            import: Some(import),
            ..InstanceEvent::default()
        };
        let pending = self.admit(call, Hook::PreRefresh, about, None, Diagnostics::new(), event).await?;
        Ok(Refreshing(Some(Asked { pending, prior, import })))
    }

    /// After ReadResource: what is to be added to the answer.
    pub(crate) async fn after_refresh(
        &self,
        call: &Call,
        refreshing: Refreshing,
        answer: Result<&ReadResourceResponse, &CallError>,
    ) -> Diagnostics {
        let Some(Asked { pending, prior, import }) = refreshing.0 else { return Diagnostics::new() };
        let duration_ms = pending.milliseconds();
        let Pending { about, mut said, .. } = pending;
        let failed = super::failed(answer, |answer| &answer.diagnostics);
        let new = answer.ok().and_then(|answer| answer.new_state.decode(about.ty()).ok());
        let new = new.filter(|_| !failed);
        if let Some(new) = &new {
            self.engine.known().learn(about.block(), new);
        }
        if failed {
            self.stages().count(|counts| counts.failed += 1);
        }
        let known = self.engine.known();
        // What an import has found was not known before, so nothing of it has drifted.
        let drift = new.as_ref().filter(|_| !import).map(|new| redaction::drift(about.block(), &prior, new, known));
        let diagnostics = self.diagnostics_of(answer, |answer| &answer.diagnostics);
        let event = |view: &View<'_>| InstanceEvent {
            prior_state: Some(self.state(&about, &prior, view)),
            new_state: Some(self.resulting(&about, new.as_ref(), view)),
            drift: Some(drift.clone().unwrap_or_default()),
            import: Some(import),
            diagnostics: Some(diagnostics.clone()),
            duration_ms: Some(duration_ms),
            ..InstanceEvent::default()
        };
        said.extend(self.ask(call, Hook::PostRefresh, &about, None, event).await.diagnostics);
        said
    }
}
