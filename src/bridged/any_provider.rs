//! What the plugin is under the names of the Go plugin as long as it was not told which provider to be: a package with
//! nothing in it.

use std::sync::Arc;

use async_trait::async_trait;
use denobridge_core::provider::{
    GetProviderSchemaRequest, GetProviderSchemaResponse, StopProviderRequest, StopProviderResponse,
};
use denobridge_core::schema::ProviderSchema;
use denobridge_core::{Call, CallError, Provider};
use denobridge_pulumi::{Conventions, PackageError, ServedPackage};
use denobridge_sdk_gen::{BridgedOptions, Package, generate_bridged, unparameterized};

use super::PluginIdentity;

/// A provider without anything.
pub struct AnyProvider;

impl AnyProvider {
    /// The package that the Go plugin has before it is told more. Its version has a `v` there.
    ///
    /// # Errors
    /// None that depends on input.
    pub fn package(plugin: &PluginIdentity) -> Result<ServedPackage, PackageError> {
        let PluginIdentity { name, version } = plugin.clone();
        let unavailable = |error| PackageError::Unavailable(format!("the package {name} cannot be described: {error}"));
        let nothing = generate_bridged(&ProviderSchema::default(), &BridgedOptions::new(&name, &version));
        let names = nothing.map_err(unavailable)?.names;
        let schema = unparameterized(&name, &format!("v{version}")).map_err(unavailable)?;
        Ok(ServedPackage {
            provider: Arc::new(Self),
            package: Package { schema, names },
            name,
            version,
            conventions: Conventions::GoBridge,
            takes_over: Vec::new(),
        })
    }
}

#[async_trait]
impl Provider for AnyProvider {
    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        Ok(GetProviderSchemaResponse::default())
    }

    async fn stop_provider(&self, _: &Call, _: StopProviderRequest) -> Result<StopProviderResponse, CallError> {
        Ok(StopProviderResponse::default())
    }
}
