//! A host inside the process: drives one resource instance of any [`Provider`] through its life as Terraform core would,
//! and holds every answer to core's rules. `denobridge try` stands on it, and provider tests do.
//!
//! ```text
//! Host::start ─► configure ─► resource("type") ─► config ─► plan ─► apply ─► refresh ─► plan … ─► destroy
//!                                              └► load (stored state)    └► store
//! ```
//!
//! Every step returns a [`Step`]: what it came to, and a [`Report`] with what the provider said and which rules it broke.
//! A broken rule is an error among the diagnostics as well, so `report.failed()` tells all. An [`Observer`] sees each
//! exchange with the provider as it happens.
//!
//! What core does, this does: it validates before each plan (R18), merges the configuration into the prior state for
//! the proposed one, plans a replacement a second time from nothing (R8), plans once more when it applies and compares
//! (R9), keeps what a failed apply left behind and marks a failed create as tainted (R12). What core leaves to the
//! provider SDKs, this checks too: no values for read-only attributes.

mod apply;
mod exchange;
mod observer;
mod plan;
mod refresh;
mod state;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use denobridge_core::call::Call;
use denobridge_core::cty::Value;
use denobridge_core::diagnostics::{Diagnostic, Diagnostics};
use denobridge_core::planning::rules::Violation;
use denobridge_core::planning::{ConfigProblem, conform_config, mark_sensitive};
use denobridge_core::provider::{
    ClientCapabilities, ConfigureProviderRequest, GetProviderSchemaRequest, Provider, ServerCapabilities,
    ValidateProviderConfigRequest,
};
use denobridge_core::schema::{IdentitySchema, ProviderSchema, Schema};

pub use observer::{Exchange, Observer, Silent};
pub use plan::Plan;
pub use state::{ResourceState, StateError, StoredState};

/// What a step came to.
#[derive(Clone, Debug)]
#[must_use]
pub struct Step<T> {
    /// The result; of a step that failed, what is left of it.
    pub value: T,
    /// What was said on the way.
    pub report: Report,
}

/// What a step has to say.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The provider's diagnostics and, as errors, the broken rules, in the order they arose.
    pub diagnostics: Diagnostics,
    /// The broken rules.
    pub violations: Vec<Violation>,
}

impl Report {
    /// Whether the step failed.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// Adds what another step said.
    pub fn extend(&mut self, other: Report) {
        self.diagnostics.extend(other.diagnostics);
        self.violations.extend(other.violations);
    }

    fn broken(&mut self, subject: &str, violations: Vec<Violation>) {
        self.diagnostics.extend(violations.iter().map(|violation| violation.to_diagnostic(subject)));
        self.violations.extend(violations);
    }
}

/// How a host behaves.
#[derive(Clone)]
pub struct HostOptions {
    /// The version that the provider is told it works for.
    pub terraform_version: String,
    /// Goes with every request: cancellation, deadline, log.
    pub call: Call,
    /// Sees every exchange.
    pub observer: Arc<dyn Observer>,
}

impl Default for HostOptions {
    fn default() -> Self {
        Self { terraform_version: "1.14.0".to_owned(), call: Call::new(), observer: Arc::new(Silent) }
    }
}

/// A provider with its schema, ready to be driven. Cloning it is cheap.
#[derive(Clone)]
pub struct Host {
    provider: Arc<dyn Provider>,
    schema: Arc<ProviderSchema>,
    server: ServerCapabilities,
    options: HostOptions,
}

impl Host {
    /// Asks the provider for its schema.
    ///
    /// # Errors
    /// What the provider said, if it has no schema to give.
    pub async fn start(provider: Arc<dyn Provider>, options: HostOptions) -> Result<Self, Diagnostics> {
        let response = match provider.get_provider_schema(&options.call, GetProviderSchemaRequest {}).await {
            Ok(response) => response,
            Err(error) => return Err(exchange::no_answer("GetProviderSchema", &error).into()),
        };
        if response.diagnostics.has_errors() {
            return Err(response.diagnostics);
        }
        Ok(Self { provider, schema: response.schema, server: response.server_capabilities, options })
    }

    /// The same host with other circumstances for its requests, such as a new cancellation once the old one is used up.
    #[must_use]
    pub fn with_call(&self, call: Call) -> Self {
        let mut host = self.clone();
        host.options.call = call;
        host
    }

    /// The provider's schema.
    #[must_use]
    pub fn schema(&self) -> &Arc<ProviderSchema> {
        &self.schema
    }

    /// Gives the provider its configuration, an object as loosely typed as a user writes it.
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
            self.answered(exchange, response.diagnostics, Vec::new(), &mut report);
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
        Step { value: (), report }
    }

    /// A managed resource type of the provider; `name` is what the user calls the instance, for messages.
    ///
    /// # Errors
    /// The provider has no such resource type.
    pub fn resource(&self, type_name: &str, name: &str) -> Result<ResourceHost<'_>, Diagnostic> {
        let Some((type_name, schema)) = self.schema.resources.get_key_value(type_name) else {
            return Err(Diagnostic::error(
                "Unknown resource type",
                format!("The provider has no resource type {type_name:?}."),
            ));
        };
        let subject = format!("{type_name}.{name}");
        Ok(ResourceHost {
            host: self,
            schema,
            identity: self.schema.identities.get(type_name),
            type_name: Arc::clone(type_name),
            call: self.options.call.clone().with_subject(subject.as_str()),
            subject,
        })
    }
}

/// What this host can do; it never allows a provider to put off an answer, since there is nothing it could wait for.
const CAPABILITIES: ClientCapabilities = ClientCapabilities {
    deferral_allowed: false,
    write_only_attributes_allowed: true,
    store_planned_private: true,
    computed_blocks_allowed: true,
};

/// One resource instance of a [`Host`]. Holds no state of its own: the caller keeps what [`ResourceHost::apply`] returns.
pub struct ResourceHost<'h> {
    host: &'h Host,
    schema: &'h Schema,
    identity: Option<&'h IdentitySchema>,
    type_name: Arc<str>,
    call: Call,
    subject: String,
}

impl ResourceHost<'_> {
    /// The resource's schema.
    #[must_use]
    pub fn schema(&self) -> &Schema {
        self.schema
    }

    /// The resource's address, as messages have it.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }

    /// Makes a configuration from an object as loosely typed as a user writes it.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn config(&self, written: &Value) -> Result<Value, Diagnostics> {
        conform_config(&self.schema.block, written)
            .map_err(|problems| problems.into_iter().map(|problem| config_diagnostic(&self.subject, problem)).collect())
    }

    /// A value of the resource with its sensitive parts marked, fit to be shown.
    #[must_use]
    pub fn marked(&self, value: &Value) -> Value {
        mark_sensitive(&self.schema.block, value)
    }
}

fn config_diagnostic(subject: &str, problem: ConfigProblem) -> Diagnostic {
    Diagnostic::error(problem.summary, format!("{subject}: {problem}.")).at(problem.path)
}
