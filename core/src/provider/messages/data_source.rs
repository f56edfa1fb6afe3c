//! Messages about data sources.

use std::sync::Arc;

use super::{ClientCapabilities, Deferred};
use crate::diagnostics::Diagnostics;
use crate::dynamic_value::DynamicValue;

/// Request of `ValidateDataResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateDataResourceConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
}

/// Response of `ValidateDataResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateDataResourceConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `ReadDataSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadDataSourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// The module's `provider_meta` block.
    pub provider_meta: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `ReadDataSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadDataSourceResponse {
    /// The result.
    pub state: DynamicValue,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// Set when the provider cannot say yet; only if the asker allowed it.
    pub deferred: Option<Deferred>,
}
