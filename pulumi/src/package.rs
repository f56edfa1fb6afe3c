//! What is served: packages, and where they come from.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::provider::{GetProviderSchemaRequest, ServerCapabilities};
use denobridge_core::schema::{ProviderSchema, Schema};
use denobridge_core::{Call, Provider};
use denobridge_sdk_gen::{ComponentKind, ComponentNames, Package};
use thiserror::Error;

use crate::configured::LastConfiguration;
use crate::conventions::Conventions;
use crate::recording::SecretNames;

/// What a plugin is asked to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Nothing was said: the plugin's own, generic package.
    None,
    /// Words of a command line (`pulumi package add PLUGIN -- WORDS`).
    Arguments(Vec<String>),
    /// What a schema said earlier, as kept in an SDK.
    Value {
        /// Name of the package that is expected. The engine insists on it.
        name: String,
        /// Version of the package or of the plugin: the engine does not always tell them apart, so this is only a hint.
        version: String,
        /// The parameter itself.
        value: Bytes,
    },
}

/// A provider as a Pulumi package.
#[derive(Clone)]
pub struct ServedPackage {
    /// Who does the work.
    pub provider: Arc<dyn Provider>,
    /// Schema and names.
    pub package: Package,
    /// Name of the package, the first part of its tokens.
    pub name: String,
    /// Version of the package: three numbers, no `v`.
    pub version: String,
    /// Whose habits it follows.
    pub conventions: Conventions,
    /// Types of other packages whose objects its resources may be able to take over.
    pub takes_over: Vec<FormerType>,
}

/// A type of resource in another package, kept in [our form](Conventions::Own). An object of it becomes one of a resource of this
/// package where a program says so by an alias, and the provider is asked as for Terraform's `moved` block.
#[derive(Clone, Debug)]
pub struct FormerType {
    /// Terraform's address of its provider.
    pub provider_address: String,
    /// What it and its properties are called.
    pub names: Arc<ComponentNames>,
}

/// Why there is no package.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PackageError {
    /// What was asked for makes no sense; says what would.
    #[error("{0}")]
    InvalidParameter(String),
    /// The package cannot be had: not found, not loadable, not describable.
    #[error("{0}")]
    Unavailable(String),
}

/// Where packages come from.
#[async_trait]
pub trait PackageSource: Send + Sync {
    /// The package that a parameter asks for. Where one process is for several provider instances, each asks by itself: it
    /// should have a provider of its own, since each has settings of its own.
    ///
    /// # Errors
    /// There is none; the message is shown to the user as it is.
    async fn resolve(&self, call: &Call, parameter: Parameter) -> Result<ServedPackage, PackageError>;
}

/// A package whose provider has told its schema.
pub(crate) struct LoadedPackage {
    pub(crate) served: ServedPackage,
    pub(crate) schema: Arc<ProviderSchema>,
    pub(crate) capabilities: ServerCapabilities,
    /// Settings are not known yet, so the provider has not been configured: it can only be asked what it can say without.
    pub(crate) settings_unknown: AtomicBool,
    /// Of a foreign provider; of others nobody asks for it.
    pub(crate) last_configuration: LastConfiguration,
    /// What recordings leave out; of what is not recorded nobody asks for it.
    secret_names: OnceLock<SecretNames>,
}

impl LoadedPackage {
    pub(crate) async fn load(call: &Call, mut served: ServedPackage) -> Result<Self, PackageError> {
        let failed = |reason: String| {
            PackageError::Unavailable(format!(
                "the provider of the package {} has no usable schema: {reason}",
                served.name
            ))
        };
        let response = served.provider.get_provider_schema(call, GetProviderSchemaRequest {}).await;
        let response = response.map_err(|error| failed(error.to_string()))?;
        if let Some(error) = response.diagnostics.errors().next() {
            return Err(failed(format!("{}: {}", error.summary, error.detail)));
        }
        let last_configuration = LastConfiguration::default();
        if served.conventions == Conventions::GoBridge {
            served.provider = last_configuration.of(served.provider);
        }
        let (schema, capabilities) = (response.schema, response.server_capabilities);
        let settings_unknown = AtomicBool::new(false);
        let secret_names = OnceLock::new();
        Ok(Self { served, schema, capabilities, settings_unknown, last_configuration, secret_names })
    }

    /// The properties that are secret, by the package schema.
    pub(crate) fn secret_names(&self) -> &SecretNames {
        self.secret_names.get_or_init(|| SecretNames::of(&self.served.package.schema.to_value()))
    }

    /// The schema of a component; none for functions, which have a signature.
    pub(crate) fn schema_of(&self, component: &ComponentNames) -> Option<&Schema> {
        let of_kind = match component.kind {
            ComponentKind::Resource => &self.schema.resources,
            ComponentKind::DataSource => &self.schema.data_sources,
            ComponentKind::EphemeralResource => &self.schema.ephemeral_resources,
            ComponentKind::Action => &self.schema.actions,
            ComponentKind::ListResource => &self.schema.list_resources,
            ComponentKind::Function => return None,
        };
        of_kind.get(&component.type_name)
    }
}
