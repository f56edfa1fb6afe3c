//! Looking at what is really there.

use std::sync::Arc;

use denobridge_core::planning::rules;
use denobridge_core::provider::ReadResourceRequest;

use super::{CAPABILITIES, Report, ResourceHost, ResourceState, Step};

impl ResourceHost<'_> {
    /// Reads the object (R13). None when it is gone; the state as it was when anything went wrong.
    pub async fn refresh(&self, state: &ResourceState) -> Step<Option<ResourceState>> {
        let mut report = Report::default();
        let exchange =
            self.component.exchange("ReadResource").sent("current state", self.component.marked(&state.value));
        let request = ReadResourceRequest {
            type_name: Arc::clone(&self.component.type_name),
            current_state: state.value.clone().into(),
            private: state.private.clone(),
            client_capabilities: CAPABILITIES,
            current_identity: state.identity.clone().map(Into::into),
            provider_meta: self.component.host.meta(),
        };
        let answer = self.component.host.provider.read_resource(&self.component.call, request);
        let Some((exchange, response)) = self.component.ask(exchange, answer, &mut report).await else {
            return Step { value: Some(state.clone()), report };
        };
        let mut violations = Vec::new();
        let value = self.component.object(&response.new_state, &mut violations);
        let identity = self.identity_of(response.new_identity.as_ref(), false, &mut violations);
        if !response.diagnostics.has_errors() {
            violations.extend(rules::deferral(CAPABILITIES.deferral_allowed, response.deferred));
            violations.extend(rules::identity_kept(state.identity.as_ref(), identity.as_ref()));
            if violations.is_empty() {
                violations.extend(rules::read_result(self.component.block(), &value));
            }
        }
        let exchange = exchange.received("new state", self.component.marked(&value));
        self.component.answered(exchange, response.diagnostics, violations, &mut report);
        let found = if report.failed() {
            Some(state.clone())
        } else if value.is_null() {
            None
        } else {
            Some(ResourceState { value, private: response.private, identity, tainted: state.tainted })
        };
        Step { value: found, report }
    }
}
