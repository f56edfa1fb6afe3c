//! Around InvokeAction, whose answer is a stream that ends with how it went.

use denobridge_core::cty::Value;
use denobridge_core::provider::InvokeActionRequest;
use denobridge_core::{Call, Diagnostics};

use super::{About, ComponentKind, Hooks, Pending};
use crate::Hook;
use crate::protocol::InstanceEvent;
use crate::redaction::{self, View};

/// An action that integrations have agreed to.
pub(crate) struct Invoking(Option<Asked>);

struct Asked {
    pending: Pending,
    config: Value,
}

impl Hooks {
    /// Before InvokeAction.
    ///
    /// # Errors
    /// What ends the action in the provider's place, before it has begun.
    pub(crate) async fn before_invoke(
        &self,
        call: &Call,
        request: &InvokeActionRequest,
    ) -> Result<Invoking, Diagnostics> {
        let said = self.require_apply(call).await?;
        let name = &request.type_name;
        let Some(component) = self.component(ComponentKind::Action, name) else {
            return self.refused(Hook::PreInvokeAction, name, "its schema is not known").map(|_| Invoking(None));
        };
        let [config] = match self.read(&component, [&request.config]) {
            Ok(values) => values,
            Err(reason) => return self.refused(Hook::PreInvokeAction, name, &reason).map(|_| Invoking(None)),
        };
        let about = self.about(call, name, component, &[&config], None);
        let event = |about: &About, view: &View<'_>| InstanceEvent {
            config: Some(self.state(about, &config, view)),
            ..InstanceEvent::default()
        };
        let pending = self.admit(call, Hook::PreInvokeAction, about, None, said, event).await?;
        Ok(Invoking(Some(Asked { pending, config })))
    }

    /// After an action has come to its end with `diagnostics`: what is to be added to them, never an error.
    pub(crate) async fn after_invoke(&self, call: &Call, invoking: Invoking, diagnostics: &Diagnostics) -> Diagnostics {
        let Some(Asked { pending, config }) = invoking.0 else { return Diagnostics::new() };
        let duration_ms = pending.milliseconds();
        let Pending { about, mut said, .. } = pending;
        if diagnostics.has_errors() {
            self.stages().count(|counts| counts.failed += 1);
        }
        let diagnostics = redaction::diagnostics(diagnostics, self.engine.known());
        let event = |view: &View<'_>| InstanceEvent {
            config: Some(self.state(&about, &config, view)),
            diagnostics: Some(diagnostics.clone()),
            duration_ms: Some(duration_ms),
            ..InstanceEvent::default()
        };
        said.extend(self.ask(call, Hook::PostInvokeAction, &about, None, event).await.diagnostics);
        said
    }
}
