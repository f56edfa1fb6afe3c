//! Looking at what is really there: refresh and import.

use std::sync::Arc;

use denobridge_core::diagnostics::Diagnostic;
use denobridge_core::planning::rules;
use denobridge_core::provider::{ImportResourceStateRequest, ReadResourceRequest};

use super::{CAPABILITIES, Report, ResourceHost, ResourceState, Step};

impl ResourceHost<'_> {
    /// Reads the object (R13). None when it is gone; the state as it was when anything went wrong.
    pub async fn refresh(&self, state: &ResourceState) -> Step<Option<ResourceState>> {
        let mut report = Report::default();
        let exchange = self.exchange("ReadResource").sent("current state", self.marked(&state.value));
        let request = ReadResourceRequest {
            type_name: Arc::clone(&self.type_name),
            current_state: state.value.clone().into(),
            private: state.private.clone(),
            client_capabilities: CAPABILITIES,
            current_identity: state.identity.clone().map(Into::into),
            ..ReadResourceRequest::default()
        };
        let answer = self.host.provider.read_resource(&self.call, request);
        let Some((exchange, response)) = self.host.ask(exchange, answer, &mut report).await else {
            return Step { value: Some(state.clone()), report };
        };
        let mut violations = Vec::new();
        let value = self.object(&response.new_state, &mut violations);
        let identity = self.identity_of(response.new_identity.as_ref(), false, &mut violations);
        if !response.diagnostics.has_errors() {
            violations.extend(rules::deferral(CAPABILITIES.deferral_allowed, response.deferred));
            if violations.is_empty() {
                violations.extend(rules::read_result(&self.schema.block, &value));
            }
        }
        let exchange = exchange.received("new state", self.marked(&value));
        self.answered(exchange, response.diagnostics, violations, &mut report);
        let found = if report.failed() {
            Some(state.clone())
        } else if value.is_null() {
            None
        } else {
            Some(ResourceState { value, private: response.private, identity, tainted: state.tainted })
        };
        Step { value: found, report }
    }

    /// Finds an existing object by the id that the user gives, and reads it (R13). None when anything went wrong.
    pub async fn import(&self, id: &str) -> Step<Option<ResourceState>> {
        let mut report = Report::default();
        let exchange = self.exchange("ImportResourceState");
        let request = ImportResourceStateRequest {
            type_name: Arc::clone(&self.type_name),
            id: id.to_owned(),
            client_capabilities: CAPABILITIES,
            identity: None,
        };
        let answer = self.host.provider.import_resource_state(&self.call, request);
        let Some((exchange, response)) = self.host.ask(exchange, answer, &mut report).await else {
            return Step { value: None, report };
        };
        let mut violations = Vec::new();
        let mut imported = None;
        if !response.diagnostics.has_errors() {
            violations.extend(rules::deferral(CAPABILITIES.deferral_allowed, response.deferred));
            let first = response.imported_resources.first();
            let state = first.map(|first| first.state.clone()).unwrap_or_default();
            let value = self.object(&state, &mut violations);
            let identity = first.and_then(|first| self.identity_of(first.identity.as_ref(), false, &mut violations));
            if violations.is_empty() {
                violations = rules::imported(&self.schema.block, &response.imported_resources, &value, true, false);
            }
            imported =
                first.map(|first| ResourceState { value, private: first.private.clone(), identity, tainted: false });
        }
        let exchange = match &imported {
            Some(state) => exchange.received("imported state", self.marked(&state.value)),
            None => exchange,
        };
        self.answered(exchange, response.diagnostics, violations, &mut report);
        let Some(imported) = imported.filter(|_| !report.failed()) else { return Step { value: None, report } };
        let read = self.refresh(&imported).await;
        report.extend(read.report);
        if read.value.is_none() {
            report.diagnostics.push(Diagnostic::error(
                "Cannot import non-existent remote object",
                format!("While importing {}, the provider found nothing under the id {id:?}.", self.subject),
            ));
        }
        let value = if report.failed() { None } else { read.value };
        Step { value, report }
    }
}
