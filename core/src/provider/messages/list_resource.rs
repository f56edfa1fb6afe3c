//! Messages about list resources.

use std::sync::Arc;

use futures::stream::BoxStream;

use crate::diagnostics::Diagnostics;
use crate::dynamic_value::DynamicValue;

/// One object that a list resource found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListResourceEvent {
    /// The object's identity.
    pub identity: DynamicValue,
    /// What people call it.
    pub display_name: String,
    /// The whole object, if asked for.
    pub resource_object: Option<DynamicValue>,
    /// What there is to say about it.
    pub diagnostics: Diagnostics,
}

/// Request of `ValidateListResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateListResourceConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// Whether whole objects are wanted; a bool, maybe unknown.
    pub include_resource_object: DynamicValue,
    /// How many at most; a number, maybe unknown.
    pub limit: DynamicValue,
}

/// Response of `ValidateListResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateListResourceConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `ListResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListResourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// Whether whole objects are wanted.
    pub include_resource_object: bool,
    /// How many at most.
    pub limit: i64,
}

/// Response of `ListResource`.
pub struct ListResourceResponse {
    /// What was found, as it is found.
    pub events: BoxStream<'static, ListResourceEvent>,
}
