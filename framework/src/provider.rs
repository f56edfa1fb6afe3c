//! Putting a provider together.

use std::any::Any;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::provider::{ClientCapabilities, Deferred};
use denobridge_core::schema::Schema;
use denobridge_core::{Call, Diagnostics, Provider};
use thiserror::Error;

use crate::erased::{
    ErasedAction, ErasedCapability, ErasedDataSource, ErasedEphemeralResource, ErasedFunction, ErasedListResource,
    ErasedResource, ErasedStateStore,
};
use crate::hub::{Component, Hub, Registration};
use crate::instances::Lifecycle;
use crate::schema::SchemaProblem;
use crate::server::Server;

/// What configuring a provider makes for its components: a client, a pool. `None` before it is configured.
pub type ProviderData = Option<Arc<dyn Any + Send + Sync>>;

pub(crate) type Validate = Box<dyn Fn(&Value) -> Diagnostics + Send + Sync>;

pub(crate) type Defer = Box<dyn Fn(&Value) -> Option<Deferred> + Send + Sync>;

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
    /// The provider's configuration gets one setting from two sides.
    #[error("provider {provider}: both {} and {} have a setting called {setting}", owners[0], owners[1])]
    SettingClash {
        /// The provider's name.
        provider: String,
        /// The setting.
        setting: String,
        /// Who has it.
        owners: [String; 2],
    },
    /// A component belongs to a capability that is not there.
    #[error(
        "provider {provider}: {component} belongs to the capability {capability}, which the provider does not have"
    )]
    UnknownCapability {
        /// The provider's name.
        provider: String,
        /// The component: `resource example_thing`.
        component: String,
        /// The capability.
        capability: String,
    },
    /// A component does not work as it is.
    #[error("provider {provider}: {component}: {reason}")]
    Component {
        /// The provider's name.
        provider: String,
        /// The component: `resource example_thing`.
        component: String,
        /// What is wrong with it.
        reason: String,
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

/// Collects what a provider consists of. Components can be made at run time: schema and handlers are values.
///
/// What is added here is fixed by [`ProviderBuilder::build`] and must be without fault. Components of a [`Hub`] may come
/// until the schema is first served; one that does not work is left out with a warning, and the others are served.
pub struct ProviderBuilder {
    pub(crate) name: String,
    pub(crate) config_schema: Schema,
    pub(crate) meta_schema: Option<Schema>,
    pub(crate) validate: Option<Validate>,
    pub(crate) configure: Option<Configure>,
    pub(crate) defer: Option<Defer>,
    pub(crate) components: Vec<(Arc<str>, Registration)>,
    pub(crate) hub: Option<Arc<Hub>>,
    /// The module within which components are discovered; empty for all.
    pub(crate) discover: Option<&'static str>,
    pub(crate) lifecycle: Arc<Lifecycle>,
}

macro_rules! adders {
    ($($(#[$doc:meta])* $method:ident($component:ident);)*) => {
        $(
            $(#[$doc])*
            #[must_use]
            pub fn $method(self, name: impl Into<Arc<str>>, component: Box<dyn $component>) -> Self {
                self.component(name, component)
            }
        )*
    };
}

impl ProviderBuilder {
    /// A provider without configuration and components. The name is used in messages.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            config_schema: Schema::default(),
            meta_schema: None,
            validate: None,
            configure: None,
            defer: None,
            components: Vec::new(),
            hub: None,
            discover: None,
            lifecycle: Arc::default(),
        }
    }

    /// What the provider's configuration looks like. Capabilities add their settings to it.
    #[must_use]
    pub fn config_schema(mut self, schema: Schema) -> Self {
        self.config_schema = schema;
        self
    }

    /// What the `provider_meta` block of modules looks like; see [`crate::Context::provider_meta`].
    #[must_use]
    pub fn meta_schema(mut self, schema: Schema) -> Self {
        self.meta_schema = Some(schema);
        self
    }

    /// What of the provider's configuration can be told to be wrong without doing anything, beyond what its schema says.
    /// Parts may be unknown. Hosts validate before they configure, also where nothing is configured at all.
    #[must_use]
    pub fn validate<F>(mut self, validate: F) -> Self
    where
        F: Fn(&Value) -> Diagnostics + Send + Sync + 'static,
    {
        self.validate = Some(Box::new(validate));
        self
    }

    /// What to do with the provider's configuration. A second configuration replaces the first: calls that are under way
    /// keep what they began with. (The Terraform door refuses a second one, except in debug mode.)
    #[must_use]
    pub fn configure<F, R>(mut self, configure: F) -> Self
    where
        F: Fn(ConfigureContext) -> R + Send + Sync + 'static,
        R: Future<Output = Configured> + Send + 'static,
    {
        self.configure = Some(Box::new(move |context| Box::pin(configure(context))));
        self
    }

    /// When the provider must put off everything, judged by its configuration. Then components are not asked at all, and
    /// an asker that cannot wait is told so when it configures the provider.
    #[must_use]
    pub fn defer_while<F>(mut self, defer: F) -> Self
    where
        F: Fn(&Value) -> Option<Deferred> + Send + Sync + 'static,
    {
        self.defer = Some(Box::new(defer));
        self
    }

    adders! {
        /// Adds a managed resource under Terraform's name for it, such as `example_thing`.
        resource(ErasedResource);
        /// Adds a data source under Terraform's name for it.
        data_source(ErasedDataSource);
        /// Adds a function, called as `provider::example::name`.
        function(ErasedFunction);
        /// Adds an ephemeral resource under Terraform's name for it.
        ephemeral_resource(ErasedEphemeralResource);
        /// Adds an action under Terraform's name for it.
        action(ErasedAction);
        /// Adds a list resource under the name of the managed resource whose objects it finds.
        list_resource(ErasedListResource);
        /// Adds a state store under Terraform's name for it.
        state_store(ErasedStateStore);
        /// Adds a capability. Its name is for messages and for [`ProviderBuilder::component_of`].
        capability(ErasedCapability);
    }

    /// Adds a component of any kind.
    #[must_use]
    pub fn component(mut self, name: impl Into<Arc<str>>, component: impl Into<Component>) -> Self {
        self.components.push((name.into(), Registration { component: component.into(), capability: None }));
        self
    }

    /// Adds a component of any kind that belongs to a capability.
    #[must_use]
    pub fn component_of(
        mut self,
        capability: impl Into<Arc<str>>,
        name: impl Into<Arc<str>>,
        component: impl Into<Component>,
    ) -> Self {
        let capability = Some(capability.into());
        self.components.push((name.into(), Registration { component: component.into(), capability }));
        self
    }

    /// Adds what is or will be registered in a hub, such as [`Hub::process`].
    #[must_use]
    pub fn hub(mut self, hub: Arc<Hub>) -> Self {
        self.hub = Some(hub);
        self
    }

    /// Adds everything in the program that is marked for it; see [`crate::discovery`]. It goes to the builder's hub, or to
    /// one of its own, so what does not work is left out with a warning.
    #[must_use]
    pub fn discover(self) -> Self {
        self.discover_in("")
    }

    /// Adds what is marked within one module or crate: `discover_in(module_path!())`.
    #[must_use]
    pub fn discover_in(mut self, module: &'static str) -> Self {
        self.discover = Some(module);
        self
    }

    /// Where to record what becomes of objects, for who wants to look into it.
    #[must_use]
    pub fn lifecycle(mut self, lifecycle: Arc<Lifecycle>) -> Self {
        self.lifecycle = lifecycle;
        self
    }

    /// The provider.
    ///
    /// # Errors
    /// Components do not fit together, or schemas are not what Terraform accepts; then all faults of all schemas are told.
    pub fn build(self) -> Result<impl Provider + use<>, BuildError> {
        Server::new(self)
    }
}
