//! Actions.

use denobridge_core::CallError;
use denobridge_core::provider::{
    InvokeActionEvent, InvokeActionRequest, PlanActionRequest, PlanActionResponse, ValidateActionConfigRequest,
    ValidateActionConfigResponse,
};

use super::{Types, client_capabilities, deferred, diagnostics};
use crate::proto::tfplugin6 as pb;

/// Checks an action's configuration.
pub(crate) fn validate_action_config(
    request: ValidateActionConfigRequest,
    types: &Types,
) -> Result<pb::validate_action_config::Request, CallError> {
    let config = types.value(&request.config, "configuration")?;
    Ok(pb::validate_action_config::Request { action_type: request.type_name.to_string(), config })
}

impl From<pb::validate_action_config::Response> for ValidateActionConfigResponse {
    fn from(response: pb::validate_action_config::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Asks whether an action could run.
pub(crate) fn plan_action(request: PlanActionRequest, types: &Types) -> Result<pb::plan_action::Request, CallError> {
    Ok(pb::plan_action::Request {
        config: types.value(&request.config, "configuration")?,
        action_type: request.type_name.to_string(),
        client_capabilities: client_capabilities(request.client_capabilities),
    })
}

impl From<pb::plan_action::Response> for PlanActionResponse {
    fn from(response: pb::plan_action::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics), deferred: deferred(response.deferred) }
    }
}

/// Runs an action.
pub(crate) fn invoke_action(
    request: InvokeActionRequest,
    types: &Types,
) -> Result<pb::invoke_action::Request, CallError> {
    Ok(pb::invoke_action::Request {
        config: types.value(&request.config, "configuration")?,
        action_type: request.type_name.to_string(),
        client_capabilities: client_capabilities(request.client_capabilities),
    })
}

/// One event; `None` for a kind that a later protocol may add.
pub(crate) fn invoke_action_event(event: pb::invoke_action::Event) -> Option<InvokeActionEvent> {
    use pb::invoke_action::event::Type;
    Some(match event.r#type? {
        Type::Progress(progress) => InvokeActionEvent::Progress(progress.message),
        Type::Completed(completed) => InvokeActionEvent::Completed(diagnostics(completed.diagnostics)),
    })
}
