//! Data sources and ephemeral resources.

use std::time::SystemTime;

use denobridge_core::CallError;
use denobridge_core::provider::{
    CloseEphemeralResourceRequest, CloseEphemeralResourceResponse, OpenEphemeralResourceRequest,
    OpenEphemeralResourceResponse, ReadDataSourceRequest, ReadDataSourceResponse, RenewEphemeralResourceRequest,
    RenewEphemeralResourceResponse, ValidateDataResourceConfigRequest, ValidateDataResourceConfigResponse,
    ValidateEphemeralResourceConfigRequest, ValidateEphemeralResourceConfigResponse,
};

use super::{Types, client_capabilities, deferred, diagnostics};
use crate::proto::tfplugin6 as pb;
use crate::wire6::ephemeral::non_empty;
use crate::wire6::value::from_wire;

/// Checks a data source's configuration.
pub(crate) fn validate_data_resource_config(
    request: ValidateDataResourceConfigRequest,
    types: &Types,
) -> Result<pb::validate_data_resource_config::Request, CallError> {
    let config = types.value(&request.config, "configuration")?;
    Ok(pb::validate_data_resource_config::Request { type_name: request.type_name.to_string(), config })
}

impl From<pb::validate_data_resource_config::Response> for ValidateDataResourceConfigResponse {
    fn from(response: pb::validate_data_resource_config::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Reads a data source.
pub(crate) fn read_data_source(
    request: ReadDataSourceRequest,
    types: &Types,
) -> Result<pb::read_data_source::Request, CallError> {
    Ok(pb::read_data_source::Request {
        config: types.value(&request.config, "configuration")?,
        provider_meta: types.meta(&request.provider_meta)?,
        type_name: request.type_name.to_string(),
        client_capabilities: client_capabilities(request.client_capabilities),
    })
}

impl From<pb::read_data_source::Response> for ReadDataSourceResponse {
    fn from(response: pb::read_data_source::Response) -> Self {
        Self {
            state: from_wire(response.state),
            diagnostics: diagnostics(response.diagnostics),
            deferred: deferred(response.deferred),
        }
    }
}

/// Checks an ephemeral resource's configuration.
pub(crate) fn validate_ephemeral_resource_config(
    request: ValidateEphemeralResourceConfigRequest,
    types: &Types,
) -> Result<pb::validate_ephemeral_resource_config::Request, CallError> {
    let config = types.value(&request.config, "configuration")?;
    Ok(pb::validate_ephemeral_resource_config::Request { type_name: request.type_name.to_string(), config })
}

impl From<pb::validate_ephemeral_resource_config::Response> for ValidateEphemeralResourceConfigResponse {
    fn from(response: pb::validate_ephemeral_resource_config::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Opens an ephemeral resource.
pub(crate) fn open_ephemeral_resource(
    request: OpenEphemeralResourceRequest,
    types: &Types,
) -> Result<pb::open_ephemeral_resource::Request, CallError> {
    Ok(pb::open_ephemeral_resource::Request {
        config: types.value(&request.config, "configuration")?,
        type_name: request.type_name.to_string(),
        client_capabilities: client_capabilities(request.client_capabilities),
    })
}

impl From<pb::open_ephemeral_resource::Response> for OpenEphemeralResourceResponse {
    fn from(response: pb::open_ephemeral_resource::Response) -> Self {
        Self {
            diagnostics: diagnostics(response.diagnostics),
            renew_at: response.renew_at.and_then(time),
            result: from_wire(response.result),
            private: response.private.unwrap_or_default(),
            deferred: deferred(response.deferred),
        }
    }
}

/// Keeps an ephemeral resource open.
pub(crate) fn renew_ephemeral_resource(
    request: RenewEphemeralResourceRequest,
) -> pb::renew_ephemeral_resource::Request {
    let private = non_empty(request.private);
    pb::renew_ephemeral_resource::Request { type_name: request.type_name.to_string(), private }
}

impl From<pb::renew_ephemeral_resource::Response> for RenewEphemeralResourceResponse {
    fn from(response: pb::renew_ephemeral_resource::Response) -> Self {
        Self {
            diagnostics: diagnostics(response.diagnostics),
            renew_at: response.renew_at.and_then(time),
            private: response.private.unwrap_or_default(),
        }
    }
}

/// Closes an ephemeral resource.
pub(crate) fn close_ephemeral_resource(
    request: CloseEphemeralResourceRequest,
) -> pb::close_ephemeral_resource::Request {
    let private = non_empty(request.private);
    pb::close_ephemeral_resource::Request { type_name: request.type_name.to_string(), private }
}

impl From<pb::close_ephemeral_resource::Response> for CloseEphemeralResourceResponse {
    fn from(response: pb::close_ephemeral_resource::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

/// A moment that no clock here can show means never.
fn time(timestamp: prost_types::Timestamp) -> Option<SystemTime> {
    SystemTime::try_from(timestamp).ok()
}
