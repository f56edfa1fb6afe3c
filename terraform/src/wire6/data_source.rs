//! Data sources.

use denobridge_core::provider::{ReadDataSourceRequest, ReadDataSourceResponse, ValidateDataResourceConfigRequest};

use super::value::{from_wire, to_wire};
use super::{Component, client_capabilities, deferred, diagnostics};
use crate::proto::tfplugin6 as pb;

impl From<pb::validate_data_resource_config::Request> for ValidateDataResourceConfigRequest {
    fn from(request: pb::validate_data_resource_config::Request) -> Self {
        Self { type_name: request.type_name.into(), config: from_wire(request.config) }
    }
}

impl From<pb::read_data_source::Request> for ReadDataSourceRequest {
    fn from(request: pb::read_data_source::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            config: from_wire(request.config),
            provider_meta: from_wire(request.provider_meta),
            client_capabilities: client_capabilities(request.client_capabilities),
        }
    }
}

/// What the data source read.
pub(crate) fn read_data_source(
    mut response: ReadDataSourceResponse,
    component: &Component,
) -> pb::read_data_source::Response {
    let state = to_wire(&response.state, &component.ty, "data source result", &mut response.diagnostics);
    pb::read_data_source::Response {
        state,
        diagnostics: diagnostics(response.diagnostics),
        deferred: deferred(response.deferred),
    }
}
