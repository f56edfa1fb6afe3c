//! A host inside the process: drives any [`Provider`] as Terraform core would, and holds every answer to core's rules.
//! Tests of providers stand on it, and `denobridge try` does.
//!
//! ```text
//! Host::start ─► configure ─► resource("type") ─► config ─► plan ─► apply ─► refresh ─► plan … ─► destroy
//!                          │                   ├► load (stored state), import, move_from   └► store
//!                          │                   └► converge (all that `terraform apply` does, and that it was enough)
//!                          ├► data_source("type") ─► config ─► read
//!                          ├► ephemeral_resource("type") ─► config ─► open ─► renew … ─► close
//!                          ├► action("type") ─► config ─► plan ─► invoke
//!                          ├► list_resource("type") ─► config ─► list
//!                          ├► state_store("type") ─► config ─► configure ─► lock, write, read, unlock …
//!                          └► function("name") ─► call
//! ```
//!
//! Every step returns a [`Step`]: what it came to, and a [`Report`] with what the provider said and which rules it broke.
//! A broken rule is an error among the diagnostics as well, so `report.failed()` tells all, and tests say
//! [`Step::expect_ok`] and its likes. An [`Observer`] sees each exchange with the provider as it happens.
//!
//! ```
//! use std::sync::Arc;
//! use denobridge_core::cty::{Type, Value};
//! use denobridge_core::schema::FunctionSignature;
//! use denobridge_framework::ProviderBuilder;
//! use denobridge_framework::erased::function;
//! use denobridge_framework::host::{Host, HostOptions};
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() {
//! let signature = FunctionSignature {
//!     parameters: Vec::new(),
//!     variadic: None,
//!     returns: Type::Number,
//!     summary: "The answer".to_owned(),
//!     description: "".into(),
//!     deprecation: None,
//! };
//! let provider = ProviderBuilder::new("example")
//!     .function("answer", function(signature, |_| Ok(Value::number(42))))
//!     .build()
//!     .unwrap();
//! let host = Host::start(Arc::new(provider), HostOptions::default()).await.unwrap();
//! let answer = host.function("answer").unwrap().call(&[]).await.expect_some();
//! assert_eq!(answer, Value::number(42));
//! # }
//! ```
//!
//! What core does, this does: it validates before each plan, and holds the verdict to the last one (R18); merges the
//! configuration into the prior state for the proposed one; plans a replacement a second time from nothing (R8); plans
//! once more when it applies and compares (R9); keeps what a failed apply left behind and marks a failed create as tainted
//! (R12). What core leaves to the provider SDKs, this checks too: no values for read-only attributes, no other identity
//! for an object that has one.

mod action;
mod apply;
mod component;
mod data_source;
mod ephemeral_resource;
mod exchange;
mod function;
mod generate;
mod import;
mod list_resource;
mod memory;
mod move_state;
mod observer;
mod plan;
mod provider;
mod refresh;
mod report;
mod resource;
mod state;
mod state_store;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use denobridge_core::call::Call;
use denobridge_core::cty::Value;
use denobridge_core::diagnostics::{Diagnostic, Diagnostics};
use denobridge_core::planning::ConfigProblem;
use denobridge_core::provider::{ClientCapabilities, GetProviderSchemaRequest, Provider, ServerCapabilities};
use denobridge_core::schema::ProviderSchema;

use component::Component;
use memory::Memory;

pub use action::ActionHost;
pub use data_source::DataSourceHost;
pub use ephemeral_resource::{EphemeralResourceHost, OpenResource};
pub use function::FunctionHost;
pub use list_resource::{ListResourceHost, ListedObject};
pub use move_state::MovedFrom;
pub use observer::{Exchange, Observer, Silent};
pub use plan::Plan;
pub use report::{Report, Step};
pub use resource::{Converged, ResourceHost};
pub use state::{ResourceState, StateError, StoredState};
pub use state_store::{OpenStateStore, StateStoreHost};

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
    /// The `provider_meta` block of the module that asks, if it has one.
    meta: Option<Value>,
    memory: Arc<Memory>,
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
        Ok(Self {
            provider,
            schema: response.schema,
            server: response.server_capabilities,
            options,
            meta: None,
            memory: Arc::default(),
        })
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

    /// A managed resource type of the provider; `name` is what the user calls the instance, for messages.
    ///
    /// # Errors
    /// The provider has no such resource type.
    pub fn resource(&self, type_name: &str, name: &str) -> Result<ResourceHost<'_>, Diagnostic> {
        let subject = format!("{type_name}.{name}");
        let component = Component::find(self, "resource type", &self.schema.resources, type_name, subject)?;
        let identity = self.schema.identities.get(type_name);
        Ok(ResourceHost { component, identity })
    }

    /// A data source of the provider; `name` is what the user calls the instance, for messages.
    ///
    /// # Errors
    /// The provider has no such data source.
    pub fn data_source(&self, type_name: &str, name: &str) -> Result<DataSourceHost<'_>, Diagnostic> {
        let subject = format!("data.{type_name}.{name}");
        let component = Component::find(self, "data source", &self.schema.data_sources, type_name, subject)?;
        Ok(DataSourceHost { component })
    }

    /// An ephemeral resource of the provider; `name` is what the user calls the instance, for messages.
    ///
    /// # Errors
    /// The provider has no such ephemeral resource.
    pub fn ephemeral_resource(&self, type_name: &str, name: &str) -> Result<EphemeralResourceHost<'_>, Diagnostic> {
        let subject = format!("ephemeral.{type_name}.{name}");
        let among = &self.schema.ephemeral_resources;
        Ok(EphemeralResourceHost { component: Component::find(self, "ephemeral resource", among, type_name, subject)? })
    }

    /// An action of the provider; `name` is what the user calls the instance, for messages.
    ///
    /// # Errors
    /// The provider has no such action.
    pub fn action(&self, type_name: &str, name: &str) -> Result<ActionHost<'_>, Diagnostic> {
        let subject = format!("action.{type_name}.{name}");
        Ok(ActionHost { component: Component::find(self, "action", &self.schema.actions, type_name, subject)? })
    }

    /// A list resource of the provider; `name` is what the user calls the instance, for messages.
    ///
    /// # Errors
    /// The provider has no such list resource, or no managed resource of that name with an identity to list.
    pub fn list_resource(&self, type_name: &str, name: &str) -> Result<ListResourceHost<'_>, Diagnostic> {
        let subject = format!("list.{type_name}.{name}");
        let component = Component::find(self, "list resource", &self.schema.list_resources, type_name, subject)?;
        ListResourceHost::new(component)
    }

    /// A state store of the provider.
    ///
    /// # Errors
    /// The provider has no such state store.
    pub fn state_store(&self, type_name: &str) -> Result<StateStoreHost<'_>, Diagnostic> {
        let subject = format!("state store {type_name}");
        let component = Component::find(self, "state store", &self.schema.state_stores, type_name, subject)?;
        Ok(StateStoreHost { component })
    }

    /// A function of the provider.
    ///
    /// # Errors
    /// The provider has no such function.
    pub fn function(&self, name: &str) -> Result<FunctionHost<'_>, Diagnostic> {
        let Some((name, signature)) = self.schema.functions.get_key_value(name) else {
            return Err(component::unknown_component("function", name));
        };
        Ok(FunctionHost { host: self, name: Arc::clone(name), signature })
    }
}

/// What this host can do; it never allows a provider to put off an answer, since there is nothing it could wait for.
const CAPABILITIES: ClientCapabilities = ClientCapabilities {
    deferral_allowed: false,
    write_only_attributes_allowed: true,
    store_planned_private: true,
    computed_blocks_allowed: true,
};

fn config_diagnostic(subject: &str, problem: ConfigProblem) -> Diagnostic {
    Diagnostic::error(problem.summary, format!("{subject}: {problem}.")).at(problem.path)
}
