//! List resources.

use denobridge_core::provider::{ListResourceEvent, ListResourceRequest, ValidateListResourceConfigRequest};

use super::value::{from_wire, identity_to_wire, to_wire};
use super::{Component, diagnostics};
use crate::proto::tfplugin6 as pb;

impl From<pb::validate_list_resource_config::Request> for ValidateListResourceConfigRequest {
    fn from(request: pb::validate_list_resource_config::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            config: from_wire(request.config),
            include_resource_object: from_wire(request.include_resource_object),
            limit: from_wire(request.limit),
        }
    }
}

impl From<pb::list_resource::Request> for ListResourceRequest {
    fn from(request: pb::list_resource::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            config: from_wire(request.config),
            include_resource_object: request.include_resource_object,
            limit: request.limit,
        }
    }
}

/// One object found. `resource` is the managed resource of the same name, whose types the event's values have.
pub(crate) fn list_resource_event(mut event: ListResourceEvent, resource: &Component) -> pb::list_resource::Event {
    let messages = &mut event.diagnostics;
    let identity = identity_to_wire(Some(&event.identity), resource.identity.as_ref(), messages);
    let object = event.resource_object.as_ref();
    let resource_object = object.and_then(|object| to_wire(object, &resource.ty, "listed resource", messages));
    pb::list_resource::Event {
        identity,
        display_name: event.display_name,
        resource_object,
        diagnostic: diagnostics(event.diagnostics),
    }
}
