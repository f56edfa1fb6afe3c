//! The packages that the Pulumi plugin serves.

use std::fmt::Display;
use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::provider::GetProviderSchemaRequest;
use denobridge_core::schema::ProviderSchema;
use denobridge_core::{Call, Provider};
use denobridge_framework::ErasedResource as _;
use denobridge_pulumi::{
    ComponentKind, FormerType, OwnPackage, PackageError, PackageOptions, PackageSource, Parameter, ServedPackage,
    plugin,
};
use denobridge_sdk_gen::generate;

use crate::bridged::{AnyProvider, Asked, Bridge, PluginIdentity};
use crate::plugins::TERRAFORM_ADDRESS;
use crate::scripted::{ACTION, DATA_SOURCE, EPHEMERAL_RESOURCE, FUNCTION, PROVIDER_NAME, RESOURCE, ScriptResource};
use crate::typed::{ScriptPackages, ScriptParameter};

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
        let plugin = plugin(PROVIDER_NAME, VERSION).describe(|package| describe(package, DOWNLOAD_URL));
        Self::Scripts(Box::new(plugin.source_of_each(provider)))
    }
}

/// Where Pulumi downloads the plugin of this build from; `cargo xtask dist --download-url` sets it for releases.
const DOWNLOAD_URL: Option<&str> = option_env!("DENOBRIDGE_PLUGIN_DOWNLOAD_URL");

/// The package over one embedded provider, or what stands in for one.
///
/// # Errors
/// See [`PackageSource::resolve`].
pub async fn scripts_package(call: &Call, provider: Arc<dyn Provider>) -> Result<ServedPackage, PackageError> {
    let provider = move || Ok::<_, std::convert::Infallible>(Arc::clone(&provider));
    let plugin = plugin(PROVIDER_NAME, VERSION).describe(|package| describe(package, DOWNLOAD_URL));
    plugin.source_of_each(provider).package(call).await
}

fn describe(package: &mut PackageOptions, download_url: Option<&str>) {
    package.display_name = Some("Deno scripts".to_owned());
    package.description = Some("Manage anything with TypeScript: a script run by Deno is a resource.".to_owned());
    package.keywords = vec!["category/utility".to_owned(), "kind/native".to_owned()];
    package.plugin_download_url = download_url.map(str::to_owned);
    package.license = Some(env!("CARGO_PKG_LICENSE").to_owned());
    package.component_names = COMPONENT_NAMES
        .map(|(kind, terraform, pulumi)| ((kind, terraform.to_owned()), pulumi.to_owned()))
        .into_iter()
        .collect();
}

/// The generic resource: its objects can become those of a package of scripts.
pub(crate) fn generic_resource() -> Option<FormerType> {
    let mut options =
        PackageOptions { name: PROVIDER_NAME.to_owned(), version: VERSION.to_owned(), ..PackageOptions::default() };
    describe(&mut options, None);
    let resources = [(RESOURCE.into(), ScriptResource.schema())].into();
    // It makes a package, as it does with all the others beside it.
    let package = generate(&ProviderSchema { resources, ..ProviderSchema::default() }, &options).ok()?;
    let names = package.names.components().next().cloned()?;
    Some(FormerType { provider_address: TERRAFORM_ADDRESS.to_owned(), names })
}

/// What a provider has, by its own word; otherwise why it is not known, in the provider's words where it said any.
pub(crate) async fn schema_of(call: &Call, provider: &dyn Provider) -> Result<Arc<ProviderSchema>, String> {
    let answer = provider.get_provider_schema(call, GetProviderSchemaRequest {}).await;
    let answer = answer.map_err(|error| error.to_string())?;
    match answer.diagnostics.errors().next() {
        Some(error) => Err(format!("{}: {}", error.summary, error.detail)),
        None => Ok(answer.schema),
    }
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

/// All packages of the plugin: one without parameters, and any Terraform provider and any package of scripts with them.
pub struct Packages {
    unparameterized: Unparameterized,
    bridge: Arc<Bridge>,
    /// None: paths have the meaning that the Go plugin gives them.
    scripts: Option<ScriptPackages>,
}

impl Packages {
    /// The packages of a plugin process.
    #[must_use]
    pub fn new(unparameterized: Unparameterized, bridge: Arc<Bridge>, scripts: Option<ScriptPackages>) -> Self {
        Self { unparameterized, bridge, scripts }
    }

    async fn by_words(&self, call: &Call, words: &[String]) -> Result<ServedPackage, PackageError> {
        match (self.bridge.asked(self.scripts.is_some(), words)?, &self.scripts) {
            (Asked::Provider(wanted), _) => self.bridge.by_arguments(call, wanted).await,
            (Asked::Scripts(wanted), Some(scripts)) => scripts.by_arguments(call, &wanted).await,
            (Asked::Scripts(_), None) => Err(PackageError::InvalidParameter("this plugin takes no scripts".to_owned())),
        }
    }

    async fn by_value(&self, call: &Call, name: &str, value: &[u8]) -> Result<ServedPackage, PackageError> {
        match &self.scripts {
            Some(scripts) if ScriptParameter::is_one(value) => scripts.by_parameter(call, name, value).await,
            _ => self.bridge.by_parameter(call, name, value).await,
        }
    }
}

#[async_trait]
impl PackageSource for Packages {
    async fn resolve(&self, call: &Call, parameter: Parameter) -> Result<ServedPackage, PackageError> {
        match parameter {
            Parameter::Arguments(words) => self.by_words(call, &words).await,
            Parameter::Value { name, value, .. } => self.by_value(call, &name, &value).await,
            Parameter::None => match &self.unparameterized {
                Unparameterized::Scripts(package) => package.package(call).await,
                Unparameterized::AnyProvider(plugin) => AnyProvider::package(plugin),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plugins::embedded;
    use crate::scripted::Runtime;

    #[tokio::test]
    async fn the_schema_of_a_release_says_where_the_plugin_is_downloaded_from() {
        for url in [None, Some("github://api.github.com/owner/repository")] {
            let provider = embedded(Runtime::default()).unwrap();
            let source = plugin(PROVIDER_NAME, VERSION).describe(|package| describe(package, url)).source(provider);
            let served = source.package(&Call::new()).await.unwrap();
            assert_eq!(served.package.schema.to_value()["pluginDownloadURL"].as_str(), url);
        }
    }
}
