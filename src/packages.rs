//! The packages that the Pulumi plugin serves.

use std::fmt::Display;
use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::{Call, Provider};
use denobridge_pulumi::{
    ComponentKind, OwnPackage, PackageError, PackageOptions, PackageSource, Parameter, ServedPackage, plugin,
};

use crate::bridged::{AnyProvider, Bridge, PluginIdentity};
use crate::scripted::{ACTION, DATA_SOURCE, EPHEMERAL_RESOURCE, FUNCTION, PROVIDER_NAME, RESOURCE};

/// The version of the plugin and of its generic package: three numbers, no `v`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What the plugin is without parameters.
pub enum Unparameterized {
    /// Any script, named by its path.
    Scripts(Box<OwnPackage>),
    /// Nothing: what the Go plugin is.
    AnyProvider(PluginIdentity),
}

impl Unparameterized {
    /// The package over embedded providers, of which each provider instance gets one.
    #[must_use]
    pub fn scripts<E: Display>(provider: impl Fn() -> Result<Arc<dyn Provider>, E> + Send + Sync + 'static) -> Self {
        Self::Scripts(Box::new(plugin(PROVIDER_NAME, VERSION).describe(describe).source_of_each(provider)))
    }
}

fn describe(package: &mut PackageOptions) {
    package.display_name = Some("Deno scripts".to_owned());
    package.description = Some("Manage anything with TypeScript: a script run by Deno is a resource.".to_owned());
    package.keywords = vec!["category/utility".to_owned(), "kind/native".to_owned()];
    // Releases say where Pulumi downloads them from; `cargo xtask dist --download-url` sets it.
    package.plugin_download_url = option_env!("DENOBRIDGE_PLUGIN_DOWNLOAD_URL").map(str::to_owned);
    package.license = Some(env!("CARGO_PKG_LICENSE").to_owned());
    package.component_names = COMPONENT_NAMES
        .map(|(kind, terraform, pulumi)| ((kind, terraform.to_owned()), pulumi.to_owned()))
        .into_iter()
        .collect();
}

/// What programs in Pulumi call the components of the embedded provider.
const COMPONENT_NAMES: [(ComponentKind, &str, &str); 6] = [
    (ComponentKind::Resource, RESOURCE, "Script"),
    (ComponentKind::DataSource, DATA_SOURCE, "getScript"),
    (ComponentKind::EphemeralResource, EPHEMERAL_RESOURCE, "openScript"),
    (ComponentKind::Action, ACTION, "ScriptAction"),
    (ComponentKind::Function, FUNCTION, "callScript"),
    (ComponentKind::ListResource, RESOURCE, "listScript"),
];

/// All packages of the plugin: one without parameters, and any Terraform provider with them.
pub struct Packages {
    unparameterized: Unparameterized,
    bridge: Arc<Bridge>,
}

impl Packages {
    /// The packages of a plugin process.
    #[must_use]
    pub fn new(unparameterized: Unparameterized, bridge: Arc<Bridge>) -> Self {
        Self { unparameterized, bridge }
    }
}

#[async_trait]
impl PackageSource for Packages {
    async fn resolve(&self, call: &Call, parameter: Parameter) -> Result<ServedPackage, PackageError> {
        match parameter {
            Parameter::Arguments(words) => self.bridge.by_arguments(call, &words).await,
            Parameter::Value { name, value, .. } => self.bridge.by_parameter(call, &name, &value).await,
            Parameter::None => match &self.unparameterized {
                Unparameterized::Scripts(package) => package.package(call).await,
                Unparameterized::AnyProvider(plugin) => AnyProvider::package(plugin),
            },
        }
    }
}
