//! The provider as a whole: metadata and configuration.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::provider::{
    ConfigureProviderRequest, GetMetadataResponse, GetProviderSchemaResponse, ValidateProviderConfigRequest,
};

use super::value::from_wire;
use super::{client_capabilities, diagnostics, server_capabilities};
use crate::proto::tfplugin6 as pb;

/// What the schema says about names and capabilities.
pub(crate) fn metadata_of(response: &GetProviderSchemaResponse) -> GetMetadataResponse {
    fn names<T>(components: &BTreeMap<Arc<str>, T>) -> Vec<Arc<str>> {
        components.keys().cloned().collect()
    }
    let schema = &response.schema;
    GetMetadataResponse {
        server_capabilities: response.server_capabilities,
        diagnostics: response.diagnostics.clone(),
        resources: names(&schema.resources),
        data_sources: names(&schema.data_sources),
        functions: names(&schema.functions),
        ephemeral_resources: names(&schema.ephemeral_resources),
        list_resources: names(&schema.list_resources),
        state_stores: names(&schema.state_stores),
        actions: names(&schema.actions),
    }
}

/// Names of all components.
pub(crate) fn get_metadata(response: GetMetadataResponse) -> pb::get_metadata::Response {
    use pb::get_metadata as message;
    fn named<T>(names: &[Arc<str>], entry: impl Fn(String) -> T) -> Vec<T> {
        names.iter().map(|name| entry(name.to_string())).collect()
    }
    message::Response {
        server_capabilities: Some(server_capabilities(response.server_capabilities)),
        diagnostics: diagnostics(response.diagnostics),
        data_sources: named(&response.data_sources, |type_name| message::DataSourceMetadata { type_name }),
        resources: named(&response.resources, |type_name| message::ResourceMetadata { type_name }),
        functions: named(&response.functions, |name| message::FunctionMetadata { name }),
        ephemeral_resources: named(&response.ephemeral_resources, |type_name| message::EphemeralResourceMetadata {
            type_name,
        }),
        list_resources: named(&response.list_resources, |type_name| message::ListResourceMetadata { type_name }),
        state_stores: named(&response.state_stores, |type_name| message::StateStoreMetadata { type_name }),
        actions: named(&response.actions, |type_name| message::ActionMetadata { type_name }),
    }
}

impl From<pb::validate_provider_config::Request> for ValidateProviderConfigRequest {
    fn from(request: pb::validate_provider_config::Request) -> Self {
        Self { config: from_wire(request.config) }
    }
}

impl From<pb::configure_provider::Request> for ConfigureProviderRequest {
    fn from(request: pb::configure_provider::Request) -> Self {
        Self {
            terraform_version: request.terraform_version,
            config: from_wire(request.config),
            client_capabilities: client_capabilities(request.client_capabilities),
        }
    }
}
