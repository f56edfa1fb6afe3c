//! The provider as a whole: configuration, names, stopping.

use std::collections::BTreeSet;
use std::sync::Arc;

use denobridge_core::cty::{Path, Value};
use denobridge_core::diagnostics::{Diagnostic, Diagnostics};
use denobridge_core::dynamic_value::DynamicValue;
use denobridge_core::planning::rules::{Rule, Violation};
use denobridge_core::planning::{conform_config, mark_sensitive};
use denobridge_core::provider::{
    ConfigureProviderRequest, GetMetadataRequest, GetMetadataResponse, StopProviderRequest,
    ValidateProviderConfigRequest,
};

use super::{CAPABILITIES, Exchange, Host, Report, Step, config_diagnostic};

impl Host {
    /// Gives the provider its configuration, an object as loosely typed as a user writes it, once the provider has found
    /// it valid.
    pub async fn configure(&self, config: &Value) -> Step<()> {
        let mut report = Report::default();
        let schema = &self.schema.provider;
        let config = match conform_config(&schema.block, config) {
            Ok(config) => config,
            Err(problems) => {
                report.diagnostics.extend(problems.into_iter().map(|problem| config_diagnostic("provider", problem)));
                return Step { value: (), report };
            }
        };
        let shown = mark_sensitive(&schema.block, &config);
        let exchange = Exchange::new("ValidateProviderConfig", "").sent("config", shown.clone());
        let request = ValidateProviderConfigRequest { config: config.clone().into() };
        let answer = self.provider.validate_provider_config(&self.options.call, request);
        if let Some((exchange, response)) = self.ask(exchange, answer, &mut report).await {
            let violations = self.memory.validated(exchange.procedure, "", &config, &response.diagnostics);
            self.answered(exchange, response.diagnostics, violations, &mut report);
        }
        if report.failed() {
            return Step { value: (), report };
        }
        let exchange = Exchange::new("ConfigureProvider", "").sent("config", shown);
        let request = ConfigureProviderRequest {
            terraform_version: self.options.terraform_version.clone(),
            config: config.into(),
            client_capabilities: CAPABILITIES,
        };
        let answer = self.provider.configure_provider(&self.options.call, request);
        if let Some((exchange, response)) = self.ask(exchange, answer, &mut report).await {
            self.answered(exchange, response.diagnostics, Vec::new(), &mut report);
        }
        self.memory.configured();
        Step { value: (), report }
    }

    /// The same host on behalf of a module with this `provider_meta` block, an object as loosely typed as a user writes
    /// it. It goes with reads, plans and applies.
    ///
    /// # Errors
    /// The provider has no such block, or it is wrong.
    pub fn with_provider_meta(&self, meta: &Value) -> Result<Self, Diagnostics> {
        let Some(schema) = &self.schema.provider_meta else {
            let detail = "The provider has no schema for provider_meta blocks.";
            return Err(Diagnostic::error("Unexpected provider_meta block", detail).into());
        };
        let conformed = conform_config(&schema.block, meta).map_err(|problems| {
            let diagnostics = problems.into_iter().map(|problem| config_diagnostic("provider_meta", problem));
            diagnostics.collect::<Diagnostics>()
        })?;
        Ok(Self { meta: Some(conformed), ..self.clone() })
    }

    /// What goes with a request for the module's `provider_meta` block.
    pub(super) fn meta(&self) -> DynamicValue {
        match (&self.meta, &self.schema.provider_meta) {
            (Some(meta), _) => meta.clone().into(),
            (None, Some(schema)) => Value::null(schema.implied_type()).into(),
            (None, None) => DynamicValue::Absent,
        }
    }

    /// The names of all components, which must be those of the schema (R19), as must be what the provider says it can do.
    pub async fn metadata(&self) -> Step<Option<GetMetadataResponse>> {
        let mut report = Report::default();
        let answer = self.provider.get_metadata(&self.options.call, GetMetadataRequest {});
        let Some((exchange, response)) = self.ask(Exchange::new("GetMetadata", ""), answer, &mut report).await else {
            return Step { value: None, report };
        };
        let violations = self.disagreements(&response);
        self.answered(exchange, response.diagnostics.clone(), violations, &mut report);
        Step { value: Some(response), report }
    }

    fn disagreements(&self, metadata: &GetMetadataResponse) -> Vec<Violation> {
        let schema = &self.schema;
        let mut violations = Vec::new();
        let broken = |message: String| Violation::new(Rule::Protocol, Path::root(), message);
        let mut compare = |kind: &str, named: &[Arc<str>], served: BTreeSet<&Arc<str>>| {
            if named.iter().collect::<BTreeSet<_>>() != served {
                violations.push(broken(format!("{kind} are {named:?} by name and {served:?} in the schema")));
            }
        };
        compare("resources", &metadata.resources, schema.resources.keys().collect());
        compare("data sources", &metadata.data_sources, schema.data_sources.keys().collect());
        compare("ephemeral resources", &metadata.ephemeral_resources, schema.ephemeral_resources.keys().collect());
        compare("list resources", &metadata.list_resources, schema.list_resources.keys().collect());
        compare("actions", &metadata.actions, schema.actions.keys().collect());
        compare("state stores", &metadata.state_stores, schema.state_stores.keys().collect());
        compare("functions", &metadata.functions, schema.functions.keys().collect());
        if metadata.server_capabilities != self.server {
            violations.push(broken("GetMetadata and GetProviderSchema differ in what the provider can do".to_owned()));
        }
        violations
    }

    /// Asks the provider to end running work soon. What runs returns with what it has by then.
    pub async fn stop(&self) -> Step<()> {
        let mut report = Report::default();
        let answer = self.provider.stop_provider(&self.options.call, StopProviderRequest {});
        if let Some((exchange, response)) = self.ask(Exchange::new("StopProvider", ""), answer, &mut report).await {
            let failure = (!response.error.is_empty())
                .then(|| Diagnostic::error("The provider cannot be stopped", response.error.clone()));
            self.answered(exchange, failure.into_iter().collect(), Vec::new(), &mut report);
        }
        Step { value: (), report }
    }
}
