//! Actions.

use denobridge_core::Diagnostics;
use denobridge_core::provider::{
    InvokeActionEvent, InvokeActionRequest, PlanActionRequest, PlanActionResponse, ValidateActionConfigRequest,
};

use super::value::from_wire;
use super::{client_capabilities, deferred, diagnostics};
use crate::proto::tfplugin6 as pb;
use pb::invoke_action::event::{Completed, Progress, Type};

impl From<pb::validate_action_config::Request> for ValidateActionConfigRequest {
    fn from(request: pb::validate_action_config::Request) -> Self {
        Self { type_name: request.action_type.into(), config: from_wire(request.config) }
    }
}

impl From<pb::plan_action::Request> for PlanActionRequest {
    fn from(request: pb::plan_action::Request) -> Self {
        Self {
            type_name: request.action_type.into(),
            config: from_wire(request.config),
            client_capabilities: client_capabilities(request.client_capabilities),
        }
    }
}

impl From<PlanActionResponse> for pb::plan_action::Response {
    fn from(response: PlanActionResponse) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics), deferred: deferred(response.deferred) }
    }
}

impl From<pb::invoke_action::Request> for InvokeActionRequest {
    fn from(request: pb::invoke_action::Request) -> Self {
        Self {
            type_name: request.action_type.into(),
            config: from_wire(request.config),
            client_capabilities: client_capabilities(request.client_capabilities),
        }
    }
}

/// One event. Always one of the two kinds: Terraform panics on an event that is neither.
pub(crate) fn invoke_action_event(event: InvokeActionEvent) -> pb::invoke_action::Event {
    match event {
        InvokeActionEvent::Progress(message) => {
            pb::invoke_action::Event { r#type: Some(Type::Progress(Progress { message })) }
        }
        InvokeActionEvent::Completed(diagnostics) => completed(diagnostics),
    }
}

/// The last event of an action.
pub(crate) fn completed(messages: Diagnostics) -> pb::invoke_action::Event {
    pb::invoke_action::Event { r#type: Some(Type::Completed(Completed { diagnostics: diagnostics(messages) })) }
}
