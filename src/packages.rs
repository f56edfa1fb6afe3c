//! The packages that the Pulumi plugin serves.

use std::fmt::Display;
use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::{Call, Provider};
use denobridge_pulumi::{
    ComponentKind, OwnPackage, PackageError, PackageOptions, PackageSource, Parameter, ServedPackage, plugin,
};

use crate::scripted::{ACTION, DATA_SOURCE, EPHEMERAL_RESOURCE, FUNCTION, PROVIDER_NAME, RESOURCE};

/// The version of the plugin and of its generic package: three numbers, no `v`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The generic package: any script, named by its path.
pub struct Generic(OwnPackage);

impl Generic {
    /// The package over embedded providers, of which each provider instance gets one.
    #[must_use]
    pub fn new<E: Display>(provider: impl Fn() -> Result<Arc<dyn Provider>, E> + Send + Sync + 'static) -> Self {
        Self(plugin(PROVIDER_NAME, VERSION).describe(describe).source_of_each(provider))
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

#[async_trait]
impl PackageSource for Generic {
    async fn resolve(&self, call: &Call, parameter: Parameter) -> Result<ServedPackage, PackageError> {
        match parameter {
            Parameter::Value { .. } | Parameter::None => self.0.resolve(call, parameter).await,
            Parameter::Arguments(words) => Err(PackageError::InvalidParameter(format!(
                "the plugin {PROVIDER_NAME} {VERSION} takes no parameters, and was given `{}`. Its package runs any script: \
                 add it without parameters, and name the script in the property `path` of a `{PROVIDER_NAME}:Script`.",
                words.join(" ")
            ))),
        }
    }
}
