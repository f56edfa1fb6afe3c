//! What `pulumi convert` asks: which Terraform provider a package stands for, and how its names are translated.

use std::sync::Arc;

use denobridge_sdk_gen::{mapped_provider, mapping};

use super::Shared;
use crate::conventions::Conventions;
use crate::errors::Failure;
use crate::package::LoadedPackage;
use crate::proto::pulumirpc::{GetMappingRequest, GetMappingResponse, GetMappingsRequest, GetMappingsResponse};

/// The converters that translate from Terraform, by the names under which they ask.
const KEYS: [&str; 2] = ["terraform", "tf"];

pub(super) fn list(shared: &Shared, request: &GetMappingsRequest) -> Result<GetMappingsResponse, Failure> {
    let package = foreign(shared, "GetMappings")?;
    let known = KEYS.contains(&request.key.as_str()).then(|| provider_of(&package));
    Ok(GetMappingsResponse { providers: known.into_iter().collect() })
}

pub(super) fn get(shared: &Shared, request: &GetMappingRequest) -> Result<GetMappingResponse, Failure> {
    let package = foreign(shared, "GetMapping")?;
    if !KEYS.contains(&request.key.as_str()) {
        return Ok(GetMappingResponse::default());
    }
    let provider = provider_of(&package);
    if !request.provider.is_empty() && request.provider != provider {
        let wanted = &request.provider;
        return Err(Failure::InvalidRequest(format!(
            "this package stands for the provider {provider:?}, not {wanted:?}"
        )));
    }
    let mapping = mapping(&package.served.package.names, &package.served.version);
    Ok(GetMappingResponse { provider, data: mapping.to_string().into_bytes() })
}

/// The package, if the plugin was told to be a foreign provider. Nothing is converted to scripts.
fn foreign(shared: &Shared, procedure: &'static str) -> Result<Arc<LoadedPackage>, Failure> {
    match shared.packages.parameterized() {
        Some(package) if package.served.conventions == Conventions::GoBridge => Ok(package),
        _ => Err(Failure::Unimplemented(procedure)),
    }
}

fn provider_of(package: &LoadedPackage) -> String {
    mapped_provider(&package.schema, &package.served.package.names)
}
