//! The provider as a whole: metadata and configuration.

use std::sync::Arc;

use denobridge_core::CallError;
use denobridge_core::cty::Type;
use denobridge_core::provider::{
    ConfigureProviderRequest, ConfigureProviderResponse, GetMetadataResponse, StopProviderResponse,
    ValidateProviderConfigRequest, ValidateProviderConfigResponse,
};

use super::{client_capabilities, diagnostics, encode, server_capabilities};
use crate::proto::tfplugin6 as pb;

impl From<pb::get_metadata::Response> for GetMetadataResponse {
    fn from(response: pb::get_metadata::Response) -> Self {
        fn names<T>(components: Vec<T>, name: impl Fn(T) -> String) -> Vec<Arc<str>> {
            components.into_iter().map(|component| Arc::from(name(component))).collect()
        }
        Self {
            server_capabilities: server_capabilities(response.server_capabilities),
            diagnostics: diagnostics(response.diagnostics),
            data_sources: names(response.data_sources, |component| component.type_name),
            resources: names(response.resources, |component| component.type_name),
            functions: names(response.functions, |component| component.name),
            ephemeral_resources: names(response.ephemeral_resources, |component| component.type_name),
            list_resources: names(response.list_resources, |component| component.type_name),
            state_stores: names(response.state_stores, |component| component.type_name),
            actions: names(response.actions, |component| component.type_name),
        }
    }
}

/// Checks the provider's configuration, which is of type `ty`.
pub(crate) fn validate_provider_config(
    request: &ValidateProviderConfigRequest,
    ty: &Type,
) -> Result<pb::validate_provider_config::Request, CallError> {
    Ok(pb::validate_provider_config::Request { config: encode(&request.config, ty, "provider configuration")? })
}

impl From<pb::validate_provider_config::Response> for ValidateProviderConfigResponse {
    fn from(response: pb::validate_provider_config::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Hands the provider its configuration, which is of type `ty`.
pub(crate) fn configure_provider(
    request: ConfigureProviderRequest,
    ty: &Type,
) -> Result<pb::configure_provider::Request, CallError> {
    Ok(pb::configure_provider::Request {
        config: encode(&request.config, ty, "provider configuration")?,
        terraform_version: request.terraform_version,
        client_capabilities: client_capabilities(request.client_capabilities),
    })
}

impl From<pb::configure_provider::Response> for ConfigureProviderResponse {
    fn from(response: pb::configure_provider::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

impl From<pb::stop_provider::Response> for StopProviderResponse {
    fn from(response: pb::stop_provider::Response) -> Self {
        Self { error: response.error }
    }
}
