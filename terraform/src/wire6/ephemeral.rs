//! Ephemeral resources.

use bytes::Bytes;
use denobridge_core::provider::{
    CloseEphemeralResourceRequest, OpenEphemeralResourceRequest, OpenEphemeralResourceResponse,
    RenewEphemeralResourceRequest, RenewEphemeralResourceResponse, ValidateEphemeralResourceConfigRequest,
};

use super::value::{from_wire, to_wire};
use super::{Component, client_capabilities, deferred, diagnostics};
use crate::proto::tfplugin6 as pb;

impl From<pb::validate_ephemeral_resource_config::Request> for ValidateEphemeralResourceConfigRequest {
    fn from(request: pb::validate_ephemeral_resource_config::Request) -> Self {
        Self { type_name: request.type_name.into(), config: from_wire(request.config) }
    }
}

impl From<pb::open_ephemeral_resource::Request> for OpenEphemeralResourceRequest {
    fn from(request: pb::open_ephemeral_resource::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            config: from_wire(request.config),
            client_capabilities: client_capabilities(request.client_capabilities),
        }
    }
}

/// The opened resource.
pub(crate) fn open_ephemeral_resource(
    mut response: OpenEphemeralResourceResponse,
    component: &Component,
) -> pb::open_ephemeral_resource::Response {
    let result = to_wire(&response.result, &component.ty, "ephemeral result", &mut response.diagnostics);
    pb::open_ephemeral_resource::Response {
        diagnostics: diagnostics(response.diagnostics),
        renew_at: response.renew_at.map(Into::into),
        result,
        private: non_empty(response.private),
        deferred: deferred(response.deferred),
    }
}

impl From<pb::renew_ephemeral_resource::Request> for RenewEphemeralResourceRequest {
    fn from(request: pb::renew_ephemeral_resource::Request) -> Self {
        Self { type_name: request.type_name.into(), private: request.private.unwrap_or_default() }
    }
}

/// When to renew again.
pub(crate) fn renew_ephemeral_resource(
    response: RenewEphemeralResourceResponse,
    _: &Component,
) -> pb::renew_ephemeral_resource::Response {
    pb::renew_ephemeral_resource::Response {
        diagnostics: diagnostics(response.diagnostics),
        renew_at: response.renew_at.map(Into::into),
        private: non_empty(response.private),
    }
}

impl From<pb::close_ephemeral_resource::Request> for CloseEphemeralResourceRequest {
    fn from(request: pb::close_ephemeral_resource::Request) -> Self {
        Self { type_name: request.type_name.into(), private: request.private.unwrap_or_default() }
    }
}

/// Private data on the wire, where none is no field.
pub(super) fn non_empty(private: Bytes) -> Option<Bytes> {
    Some(private).filter(|private| !private.is_empty())
}
