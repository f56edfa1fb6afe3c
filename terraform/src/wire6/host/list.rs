//! List resources.

use denobridge_core::CallError;
use denobridge_core::cty::Type;
use denobridge_core::provider::{
    ListResourceEvent, ListResourceRequest, ValidateListResourceConfigRequest, ValidateListResourceConfigResponse,
};

use super::{Types, diagnostics, encode};
use crate::proto::tfplugin6 as pb;
use crate::wire6::value::{from_wire, identity_from_wire};

/// Checks a list resource's configuration.
pub(crate) fn validate_list_resource_config(
    request: ValidateListResourceConfigRequest,
    types: &Types,
) -> Result<pb::validate_list_resource_config::Request, CallError> {
    Ok(pb::validate_list_resource_config::Request {
        config: types.value(&request.config, "configuration")?,
        include_resource_object: encode(&request.include_resource_object, &Type::Bool, "include_resource argument")?,
        limit: encode(&request.limit, &Type::Number, "limit argument")?,
        type_name: request.type_name.to_string(),
    })
}

impl From<pb::validate_list_resource_config::Response> for ValidateListResourceConfigResponse {
    fn from(response: pb::validate_list_resource_config::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Lists existing objects.
pub(crate) fn list_resource(
    request: ListResourceRequest,
    types: &Types,
) -> Result<pb::list_resource::Request, CallError> {
    Ok(pb::list_resource::Request {
        config: types.value(&request.config, "configuration")?,
        type_name: request.type_name.to_string(),
        include_resource_object: request.include_resource_object,
        limit: request.limit,
    })
}

/// One object found.
pub(crate) fn list_resource_event(event: pb::list_resource::Event) -> ListResourceEvent {
    ListResourceEvent {
        identity: identity_from_wire(event.identity).unwrap_or_default(),
        display_name: event.display_name,
        resource_object: event.resource_object.map(|object| from_wire(Some(object))),
        diagnostics: diagnostics(event.diagnostic),
    }
}
