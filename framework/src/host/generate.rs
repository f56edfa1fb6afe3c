//! Writing a configuration for an existing object.

use std::sync::Arc;

use denobridge_core::cty::{Path, Value};
use denobridge_core::diagnostics::Diagnostic;
use denobridge_core::planning::rules::{Rule, Violation};
use denobridge_core::provider::GenerateResourceConfigRequest;

use super::{Report, ResourceHost, ResourceState, Step};

impl ResourceHost<'_> {
    /// Asks for the configuration with which the object would be as it is, as `terraform plan -generate-config-out` does.
    /// It must be of the schema (R1) and one that can be written down: known, and nothing that only the provider sets
    /// (R19); and the provider itself must find it valid. None when anything went wrong.
    pub async fn generate_config(&self, state: &ResourceState) -> Step<Option<Value>> {
        let mut report = Report::default();
        let host = self.component.host;
        if !host.server.generate_resource_config {
            let detail = format!("The provider of {} leaves it to core to write configurations.", self.subject());
            report.diagnostics.push(Diagnostic::error("Generation of configuration not supported", detail));
            return Step { value: None, report };
        }
        let exchange = self.component.exchange("GenerateResourceConfig").sent("state", self.marked(&state.value));
        let request = GenerateResourceConfigRequest {
            type_name: Arc::clone(&self.component.type_name),
            state: state.value.clone().into(),
        };
        let answer = host.provider.generate_resource_config(&self.component.call, request);
        let Some((exchange, response)) = self.component.ask(exchange, answer, &mut report).await else {
            return Step { value: None, report };
        };
        let mut violations = Vec::new();
        let config = self.component.object(&response.config, &mut violations);
        if !response.diagnostics.has_errors() && violations.is_empty() {
            violations.extend(self.not_writable(&config));
        }
        let exchange = exchange.received("config", self.marked(&config));
        self.component.answered(exchange, response.diagnostics, violations, &mut report);
        if !report.failed() {
            report.extend(self.validate(&config).await.report);
        }
        Step { value: Some(config).filter(|_| !report.failed()), report }
    }

    /// What of a configuration a user could not write.
    fn not_writable(&self, config: &Value) -> Vec<Violation> {
        if config.is_null() || !config.is_wholly_known() {
            let message = "the generated configuration is null, or has unknown parts";
            return vec![Violation::new(Rule::Protocol, Path::root(), message)];
        }
        let found = crate::validate::configuration(self.component.block(), config);
        let broken = |problem: &Diagnostic| {
            let message = format!("the generated configuration cannot be used: {}", problem.detail);
            Violation::new(Rule::Protocol, problem.attribute.clone(), message)
        };
        found.errors().map(broken).collect()
    }
}
