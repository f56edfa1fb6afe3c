//! Putting a provider together.

use std::any::Any;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::provider::ClientCapabilities;
use denobridge_core::schema::Schema;
use denobridge_core::{Call, Diagnostics, Provider};
use thiserror::Error;

use crate::erased::ErasedResource;
use crate::schema::{self, SchemaKind, SchemaProblem};
use crate::server::Server;

/// What configuring a provider makes for its components: a client, a pool. `None` before it is configured.
pub type ProviderData = Option<Arc<dyn Any + Send + Sync>>;

pub(crate) type Configure =
    Box<dyn Fn(ConfigureContext) -> Pin<Box<dyn Future<Output = Configured> + Send>> + Send + Sync>;

/// What configuring is given.
#[derive(Clone, Debug)]
pub struct ConfigureContext {
    /// Cancellation, deadline and log.
    pub call: Call,
    /// The configuration, of the type of the schema that the builder was given. Parts may be unknown while planning.
    pub config: Value,
    /// Version of the asker.
    pub terraform_version: String,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// What came of configuring.
#[derive(Clone, Default)]
pub struct Configured {
    /// For [`crate::Context::provider_data`].
    pub data: ProviderData,
    /// Messages in order.
    pub diagnostics: Diagnostics,
}

/// Why a provider cannot be built.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum BuildError {
    /// Two components of a kind have the same name.
    #[error("provider {provider}: two {kind}s are called {name}")]
    Duplicate {
        /// The provider's name.
        provider: String,
        /// The kind of component.
        kind: &'static str,
        /// Their name.
        name: String,
    },
    /// Schemas that Terraform would refuse, or that would crash it later.
    #[error("provider {provider} has {} in its schemas:{}", count(.problems), listed(.problems))]
    Schema {
        /// The provider's name.
        provider: String,
        /// Everything that is wrong, in all components.
        problems: Vec<SchemaProblem>,
    },
}

fn count(problems: &[SchemaProblem]) -> String {
    if problems.len() == 1 { "one fault".to_owned() } else { format!("{} faults", problems.len()) }
}

fn listed(problems: &[SchemaProblem]) -> String {
    problems.iter().map(|problem| format!("\n  - {problem}")).collect()
}

/// Collects what a provider consists of. Components can be made at run time: schema and handlers are values. The set is
/// fixed by [`ProviderBuilder::build`], since hosts ask for the schema once and keep it.
pub struct ProviderBuilder {
    pub(crate) name: String,
    pub(crate) config_schema: Schema,
    pub(crate) configure: Option<Configure>,
    pub(crate) resources: Vec<(Arc<str>, Box<dyn ErasedResource>)>,
}

impl ProviderBuilder {
    /// A provider without configuration and components. The name is used in messages.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), config_schema: Schema::default(), configure: None, resources: Vec::new() }
    }

    /// What the provider's configuration looks like.
    #[must_use]
    pub fn config_schema(mut self, schema: Schema) -> Self {
        self.config_schema = schema;
        self
    }

    /// What to do with the provider's configuration. A second configuration replaces the first: calls that are under way
    /// keep what they began with.
    #[must_use]
    pub fn configure<F, R>(mut self, configure: F) -> Self
    where
        F: Fn(ConfigureContext) -> R + Send + Sync + 'static,
        R: Future<Output = Configured> + Send + 'static,
    {
        self.configure = Some(Box::new(move |context| Box::pin(configure(context))));
        self
    }

    /// Adds a managed resource under Terraform's name for it, such as `example_thing`.
    #[must_use]
    pub fn resource(mut self, type_name: impl Into<Arc<str>>, resource: Box<dyn ErasedResource>) -> Self {
        self.resources.push((type_name.into(), resource));
        self
    }

    /// The provider.
    ///
    /// # Errors
    /// Components do not fit together, or schemas are not what Terraform accepts; then all faults of all schemas are told.
    pub fn build(self) -> Result<impl Provider + use<>, BuildError> {
        let mut names = BTreeMap::new();
        for (name, _) in &self.resources {
            if names.insert(Arc::clone(name), ()).is_some() {
                return Err(BuildError::Duplicate { provider: self.name, kind: "resource", name: name.to_string() });
            }
        }
        let problems = self.schema_problems();
        if !problems.is_empty() {
            return Err(BuildError::Schema { provider: self.name, problems });
        }
        Ok(Server::new(self))
    }

    fn schema_problems(&self) -> Vec<SchemaProblem> {
        let mut problems = schema::check("provider configuration", SchemaKind::Provider, &self.config_schema);
        for (name, resource) in &self.resources {
            let component = format!("resource {name}");
            let schema = resource.schema();
            problems.extend(schema::check(&component, SchemaKind::Resource, &schema));
            problems.extend(resource.schema_problems(&component, &schema));
        }
        problems
    }
}
