//! The packages that the Pulumi plugin serves.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::provider::GetProviderSchemaRequest;
use denobridge_core::{Call, Provider};
use denobridge_pulumi::{PackageError, PackageSource, Parameter, ServedPackage};
use denobridge_sdk_gen::{ComponentKind, PackageOptions, generate};

use crate::scripted::{PROVIDER_NAME, PULUMI_RESOURCE_NAMES};

/// The version of the plugin and of its generic package: three numbers, no `v`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The generic package: any script, named by its path.
pub struct Generic {
    provider: Arc<dyn Provider>,
}

impl Generic {
    /// The package over the embedded provider.
    #[must_use]
    pub fn new(provider: Arc<dyn Provider>) -> Self {
        Self { provider }
    }

    async fn package(&self, call: &Call) -> Result<ServedPackage, PackageError> {
        let response = self.provider.get_provider_schema(call, GetProviderSchemaRequest {}).await;
        let schema = response.map_err(|error| unavailable(&error))?.schema;
        let package = generate(&schema, &options()).map_err(|error| unavailable(&error))?;
        Ok(ServedPackage {
            provider: Arc::clone(&self.provider),
            package,
            name: PROVIDER_NAME.to_owned(),
            version: VERSION.to_owned(),
        })
    }
}

fn unavailable(reason: &dyn std::fmt::Display) -> PackageError {
    PackageError::Unavailable(format!("the package {PROVIDER_NAME} cannot be described: {reason}"))
}

fn options() -> PackageOptions {
    let names = PULUMI_RESOURCE_NAMES
        .map(|(terraform, pulumi)| ((ComponentKind::Resource, terraform.to_owned()), pulumi.to_owned()));
    PackageOptions {
        name: PROVIDER_NAME.to_owned(),
        version: VERSION.to_owned(),
        display_name: Some("Deno scripts".to_owned()),
        description: Some("Manage anything with TypeScript: a script run by Deno is a resource.".to_owned()),
        keywords: vec!["category/utility".to_owned(), "kind/native".to_owned()],
        license: Some(env!("CARGO_PKG_LICENSE").to_owned()),
        component_names: BTreeMap::from(names),
        kinds: BTreeSet::from([ComponentKind::Resource]),
        ..PackageOptions::default()
    }
}

#[async_trait]
impl PackageSource for Generic {
    async fn resolve(&self, call: &Call, parameter: Parameter) -> Result<ServedPackage, PackageError> {
        match parameter {
            Parameter::None => self.package(call).await,
            Parameter::Arguments(words) => Err(PackageError::InvalidParameter(format!(
                "the plugin {PROVIDER_NAME} {VERSION} takes no parameters, and was given `{}`. Its package runs any script: \
                 add it without parameters, and name the script in the property `path` of a `{PROVIDER_NAME}:Script`.",
                words.join(" ")
            ))),
            Parameter::Value { name, .. } => Err(PackageError::InvalidParameter(format!(
                "the package {name} was made by a plugin that takes parameters; {PROVIDER_NAME} {VERSION} does not. Install \
                 the version of the plugin that the package names."
            ))),
        }
    }
}
