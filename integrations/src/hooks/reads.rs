//! Around ReadDataSource and OpenEphemeralResource.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::provider::{
    OpenEphemeralResourceRequest, OpenEphemeralResourceResponse, ReadDataSourceRequest, ReadDataSourceResponse,
};
use denobridge_core::{Call, CallError, Diagnostics, DynamicValue};

use super::{About, ComponentKind, Hooks, Pending};
use crate::Hook;
use crate::protocol::InstanceEvent;
use crate::redaction::View;

/// A read that integrations have agreed to.
pub(crate) struct Reading(Option<Asked>);

struct Asked {
    pending: Pending,
    config: Value,
}

impl Hooks {
    /// Before ReadDataSource.
    ///
    /// # Errors
    /// What answers the request in the provider's place.
    pub(crate) async fn before_read(
        &self,
        call: &Call,
        request: &ReadDataSourceRequest,
    ) -> Result<Reading, Diagnostics> {
        let of = (Hook::PreReadDataSource, ComponentKind::DataSource);
        self.before_reading(call, of, &request.type_name, &request.config).await
    }

    /// After ReadDataSource: what is to be added to the answer.
    pub(crate) async fn after_read(
        &self,
        call: &Call,
        reading: Reading,
        answer: Result<&ReadDataSourceResponse, &CallError>,
    ) -> Diagnostics {
        let Some(Asked { pending, config }) = reading.0 else { return Diagnostics::new() };
        let duration_ms = pending.milliseconds();
        let Pending { about, mut said, .. } = pending;
        let failed = super::failed(answer, |answer| &answer.diagnostics);
        self.stages().count(|counts| *(if failed { &mut counts.failed } else { &mut counts.read }) += 1);
        let new = answer.ok().and_then(|answer| answer.state.decode(about.ty()).ok());
        if let Some(new) = &new {
            self.engine.known().learn(about.block(), new);
        }
        let diagnostics = self.diagnostics_of(answer, |answer| &answer.diagnostics);
        let event = |view: &View<'_>| InstanceEvent {
            config: Some(self.state(&about, &config, view)),
            new_state: Some(self.resulting(&about, new.as_ref(), view)),
            diagnostics: Some(diagnostics.clone()),
            duration_ms: Some(duration_ms),
            ..InstanceEvent::default()
        };
        said.extend(self.ask(call, Hook::PostReadDataSource, &about, None, event).await.diagnostics);
        said
    }

    /// Before OpenEphemeralResource.
    ///
    /// # Errors
    /// What answers the request in the provider's place.
    pub(crate) async fn before_open(
        &self,
        call: &Call,
        request: &OpenEphemeralResourceRequest,
    ) -> Result<Reading, Diagnostics> {
        let of = (Hook::PreOpenEphemeral, ComponentKind::Ephemeral);
        self.before_reading(call, of, &request.type_name, &request.config).await
    }

    /// After OpenEphemeralResource: what is to be added to the answer. The result itself is for nobody else.
    pub(crate) async fn after_open(
        &self,
        call: &Call,
        reading: Reading,
        answer: Result<&OpenEphemeralResourceResponse, &CallError>,
    ) -> Diagnostics {
        let Some(Asked { pending, config }) = reading.0 else { return Diagnostics::new() };
        let duration_ms = pending.milliseconds();
        let Pending { about, mut said, .. } = pending;
        if let Some(result) = answer.ok().and_then(|answer| answer.result.decode(about.ty()).ok()) {
            self.engine.known().learn_all(&result);
        }
        if super::failed(answer, |answer| &answer.diagnostics) {
            self.stages().count(|counts| counts.failed += 1);
        }
        let diagnostics = self.diagnostics_of(answer, |answer| &answer.diagnostics);
        let event = |view: &View<'_>| InstanceEvent {
            config: Some(self.state(&about, &config, view)),
            diagnostics: Some(diagnostics.clone()),
            duration_ms: Some(duration_ms),
            ..InstanceEvent::default()
        };
        said.extend(self.ask(call, Hook::PostOpenEphemeral, &about, None, event).await.diagnostics);
        said
    }

    async fn before_reading(
        &self,
        call: &Call,
        (hook, kind): (Hook, ComponentKind),
        type_name: &Arc<str>,
        config: &DynamicValue,
    ) -> Result<Reading, Diagnostics> {
        let Some(component) = self.component(kind, type_name) else {
            return self.refused(hook, type_name, "its schema is not known").map(|_| Reading(None));
        };
        let [config] = match self.read(&component, [config]) {
            Ok(values) => values,
            Err(reason) => return self.refused(hook, type_name, &reason).map(|_| Reading(None)),
        };
        let about = self.about(call, type_name, component, &[&config], None);
        let event = |about: &About, view: &View<'_>| InstanceEvent {
            config: Some(self.state(about, &config, view)),
            ..InstanceEvent::default()
        };
        let pending = self.admit(call, hook, about, None, Diagnostics::new(), event).await?;
        Ok(Reading(Some(Asked { pending, config })))
    }
}
