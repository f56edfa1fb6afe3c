//! Messages about actions.

use std::sync::Arc;

use futures::stream::BoxStream;

use super::{ClientCapabilities, Deferred};
use crate::diagnostics::Diagnostics;
use crate::dynamic_value::DynamicValue;

/// What an action tells while it runs. A stream ends with `Completed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvokeActionEvent {
    /// A message for whoever watches.
    Progress(String),
    /// The end, with everything that went wrong.
    Completed(Diagnostics),
}

/// Request of `ValidateActionConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateActionConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
}

/// Response of `ValidateActionConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateActionConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `PlanAction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanActionRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `PlanAction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanActionResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// Set when the provider cannot say yet; only if the asker allowed it.
    pub deferred: Option<Deferred>,
}

/// Request of `InvokeAction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InvokeActionRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `InvokeAction`.
pub struct InvokeActionResponse {
    /// What the action tells, ending with [`InvokeActionEvent::Completed`].
    pub events: BoxStream<'static, InvokeActionEvent>,
}
