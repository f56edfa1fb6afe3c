//! One ephemeral resource.

use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::diagnostics::Diagnostic;
use denobridge_core::planning::rules;
use denobridge_core::provider::{
    CloseEphemeralResourceRequest, OpenEphemeralResourceRequest, RenewEphemeralResourceRequest,
    ValidateEphemeralResourceConfigRequest,
};
use futures::TryFutureExt as _;

use super::component::{Component, component_methods};
use super::{CAPABILITIES, Report, Step};

/// One ephemeral resource of a [`super::Host`]. Holds nothing open: the caller keeps what
/// [`EphemeralResourceHost::open`] returns, and closes it.
pub struct EphemeralResourceHost<'h> {
    pub(super) component: Component<'h>,
}

/// An ephemeral resource that is open.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenResource {
    /// Its attributes. [`EphemeralResourceHost::marked`] makes them fit to be shown.
    pub value: Value,
    /// The provider's private data.
    pub private: Bytes,
    /// When it is to be renewed; `None`: never.
    pub renew_at: Option<SystemTime>,
}

impl EphemeralResourceHost<'_> {
    component_methods!();

    /// Asks the provider whether it accepts a configuration.
    pub async fn validate(&self, config: &Value) -> Step<()> {
        let component = &self.component;
        let request = ValidateEphemeralResourceConfigRequest {
            type_name: Arc::clone(&component.type_name),
            config: config.clone().into(),
        };
        let answer = component.host.provider.validate_ephemeral_resource_config(&component.call, request);
        let answer = answer.map_ok(|response| response.diagnostics);
        component.validated("ValidateEphemeralResourceConfig", config, answer).await
    }

    /// Opens it with a configuration in which everything is known, once the provider has found it valid. What comes back
    /// must be what is configured, with the rest filled in (R15). None when anything went wrong.
    pub async fn open(&self, config: &Value) -> Step<Option<OpenResource>> {
        let component = &self.component;
        let mut report = self.validate(config).await.report;
        report.diagnostics.extend(component.not_known_yet(config));
        if report.failed() {
            return Step { value: None, report };
        }
        let exchange = component.exchange("OpenEphemeralResource").sent("config", component.marked(config));
        let request = OpenEphemeralResourceRequest {
            type_name: Arc::clone(&component.type_name),
            config: config.clone().into(),
            client_capabilities: CAPABILITIES,
        };
        let answer = component.host.provider.open_ephemeral_resource(&component.call, request);
        let Some((exchange, response)) = component.ask(exchange, answer, &mut report).await else {
            return Step { value: None, report };
        };
        let mut violations = Vec::new();
        let value = component.object(&response.result, &mut violations);
        if !response.diagnostics.has_errors() {
            violations.extend(rules::deferral(CAPABILITIES.deferral_allowed, response.deferred));
            if violations.is_empty() {
                violations.extend(rules::ephemeral_result(component.block(), config, &value));
            }
        }
        let exchange = exchange.received("result", component.marked(&value));
        component.answered(exchange, response.diagnostics, violations, &mut report);
        let open = OpenResource { value, private: response.private, renew_at: response.renew_at };
        Step { value: Some(open).filter(|_| !report.failed()), report }
    }

    /// Renews it, as core does when the time has come, whatever the clock says now. Only what asked to be renewed is. The
    /// value is what is open then, also when something went wrong.
    pub async fn renew(&self, open: OpenResource) -> Step<OpenResource> {
        let component = &self.component;
        let mut report = Report::default();
        if open.renew_at.is_none() {
            let detail = format!("{} did not say when to renew it, so core never does.", component.subject);
            report.diagnostics.push(Diagnostic::error("Nothing to renew", detail));
            return Step { value: open, report };
        }
        let request = RenewEphemeralResourceRequest {
            type_name: Arc::clone(&component.type_name),
            private: open.private.clone(),
        };
        let answer = component.host.provider.renew_ephemeral_resource(&component.call, request);
        let exchange = component.exchange("RenewEphemeralResource");
        let Some((exchange, response)) = component.ask(exchange, answer, &mut report).await else {
            return Step { value: open, report };
        };
        component.answered(exchange, response.diagnostics, Vec::new(), &mut report);
        let renewed = OpenResource { value: open.value, private: response.private, renew_at: response.renew_at };
        Step { value: renewed, report }
    }

    /// Closes it.
    pub async fn close(&self, open: OpenResource) -> Step<()> {
        let component = &self.component;
        let mut report = Report::default();
        let request =
            CloseEphemeralResourceRequest { type_name: Arc::clone(&component.type_name), private: open.private };
        let answer = component.host.provider.close_ephemeral_resource(&component.call, request);
        let exchange = component.exchange("CloseEphemeralResource");
        component.told(exchange, answer.map_ok(|response| response.diagnostics), &mut report).await;
        Step { value: (), report }
    }
}
