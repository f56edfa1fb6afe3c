//! Messages about ephemeral resources.

use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;

use super::{ClientCapabilities, Deferred};
use crate::diagnostics::Diagnostics;
use crate::dynamic_value::DynamicValue;

/// Request of `ValidateEphemeralResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateEphemeralResourceConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
}

/// Response of `ValidateEphemeralResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateEphemeralResourceConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `OpenEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenEphemeralResourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `OpenEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenEphemeralResourceResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// When to renew; none: never.
    pub renew_at: Option<SystemTime>,
    /// The result.
    pub result: DynamicValue,
    /// Private data for renew and close.
    pub private: Bytes,
    /// Set when the provider cannot say yet; only if the asker allowed it.
    pub deferred: Option<Deferred>,
}

/// Request of `RenewEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenewEphemeralResourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The provider's private data; opaque to everyone else.
    pub private: Bytes,
}

/// Response of `RenewEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenewEphemeralResourceResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// When to renew; none: never.
    pub renew_at: Option<SystemTime>,
    /// Private data for the next renew and close.
    pub private: Bytes,
}

/// Request of `CloseEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloseEphemeralResourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The provider's private data; opaque to everyone else.
    pub private: Bytes,
}

/// Response of `CloseEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloseEphemeralResourceResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}
