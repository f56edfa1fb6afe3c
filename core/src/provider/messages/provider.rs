//! Messages about the provider itself: metadata, schema, configuration, stopping.

use std::sync::Arc;

use super::{ClientCapabilities, ServerCapabilities};
use crate::diagnostics::Diagnostics;
use crate::dynamic_value::DynamicValue;
use crate::schema::ProviderSchema;

/// Request of `GetMetadata`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetMetadataRequest {}

/// Response of `GetMetadata`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetMetadataResponse {
    /// What the provider can do.
    pub server_capabilities: ServerCapabilities,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// Type names.
    pub data_sources: Vec<Arc<str>>,
    /// Type names.
    pub resources: Vec<Arc<str>>,
    /// Names.
    pub functions: Vec<Arc<str>>,
    /// Type names.
    pub ephemeral_resources: Vec<Arc<str>>,
    /// Type names.
    pub list_resources: Vec<Arc<str>>,
    /// Type names.
    pub state_stores: Vec<Arc<str>>,
    /// Type names.
    pub actions: Vec<Arc<str>>,
}

/// Request of `GetProviderSchema`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetProviderSchemaRequest {}

/// Response of `GetProviderSchema`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetProviderSchemaResponse {
    /// The schema.
    pub schema: Arc<ProviderSchema>,
    /// What the provider can do.
    pub server_capabilities: ServerCapabilities,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `ValidateProviderConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateProviderConfigRequest {
    /// The configuration.
    pub config: DynamicValue,
}

/// Response of `ValidateProviderConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateProviderConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `ConfigureProvider`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigureProviderRequest {
    /// Version of the asker.
    pub terraform_version: String,
    /// The configuration.
    pub config: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `ConfigureProvider`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigureProviderResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `StopProvider`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StopProviderRequest {}

/// Response of `StopProvider`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StopProviderResponse {
    /// Empty, or why stopping failed.
    pub error: String,
}
