//! One data source.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::planning::rules;
use denobridge_core::provider::{ReadDataSourceRequest, ValidateDataResourceConfigRequest};
use futures::TryFutureExt as _;

use super::component::{Component, component_methods};
use super::{CAPABILITIES, Step};

/// One data source of a [`super::Host`].
pub struct DataSourceHost<'h> {
    pub(super) component: Component<'h>,
}

impl DataSourceHost<'_> {
    component_methods!();

    /// Asks the provider whether it accepts a configuration.
    pub async fn validate(&self, config: &Value) -> Step<()> {
        let component = &self.component;
        let request = ValidateDataResourceConfigRequest {
            type_name: Arc::clone(&component.type_name),
            config: config.clone().into(),
        };
        let answer = component.host.provider.validate_data_resource_config(&component.call, request);
        let answer = answer.map_ok(|response| response.diagnostics);
        component.validated("ValidateDataResourceConfig", config, answer).await
    }

    /// Reads it with a configuration in which everything is known, once the provider has found it valid. What comes back
    /// must be there and be known (R15). None when anything went wrong.
    pub async fn read(&self, config: &Value) -> Step<Option<Value>> {
        let component = &self.component;
        let mut report = self.validate(config).await.report;
        report.diagnostics.extend(component.not_known_yet(config));
        if report.failed() {
            return Step { value: None, report };
        }
        let exchange = component.exchange("ReadDataSource").sent("config", component.marked(config));
        let request = ReadDataSourceRequest {
            type_name: Arc::clone(&component.type_name),
            config: config.clone().into(),
            provider_meta: component.host.meta(),
            client_capabilities: CAPABILITIES,
        };
        let answer = component.host.provider.read_data_source(&component.call, request);
        let Some((exchange, response)) = component.ask(exchange, answer, &mut report).await else {
            return Step { value: None, report };
        };
        let mut violations = Vec::new();
        let state = component.object(&response.state, &mut violations);
        if !response.diagnostics.has_errors() {
            violations.extend(rules::deferral(CAPABILITIES.deferral_allowed, response.deferred));
            if violations.is_empty() {
                violations.extend(rules::data_result(component.block(), &state));
            }
        }
        let exchange = exchange.received("state", component.marked(&state));
        component.answered(exchange, response.diagnostics, violations, &mut report);
        Step { value: Some(state).filter(|_| !report.failed()), report }
    }
}
