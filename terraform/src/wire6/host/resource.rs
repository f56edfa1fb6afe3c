//! Managed resources.

use std::sync::Arc;

use denobridge_core::CallError;
use denobridge_core::provider::{
    ApplyResourceChangeRequest, ApplyResourceChangeResponse, GenerateResourceConfigRequest,
    GenerateResourceConfigResponse, ImportResourceStateRequest, ImportResourceStateResponse, ImportedResource,
    MoveResourceStateRequest, MoveResourceStateResponse, PlanResourceChangeRequest, PlanResourceChangeResponse,
    ReadResourceRequest, ReadResourceResponse, UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse,
    UpgradeResourceStateRequest, UpgradeResourceStateResponse, ValidateResourceConfigRequest,
    ValidateResourceConfigResponse,
};

use super::diagnostics::path;
use super::{Types, client_capabilities, deferred, diagnostics, raw_state};
use crate::proto::tfplugin6 as pb;
use crate::wire6::value::{from_wire, identity_from_wire};

/// Checks a configuration.
pub(crate) fn validate_resource_config(
    request: ValidateResourceConfigRequest,
    types: &Types,
) -> Result<pb::validate_resource_config::Request, CallError> {
    Ok(pb::validate_resource_config::Request {
        config: types.value(&request.config, "configuration")?,
        type_name: request.type_name.to_string(),
        client_capabilities: client_capabilities(request.client_capabilities),
    })
}

impl From<pb::validate_resource_config::Response> for ValidateResourceConfigResponse {
    fn from(response: pb::validate_resource_config::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Brings stored state to the current version.
pub(crate) fn upgrade_resource_state(request: UpgradeResourceStateRequest) -> pb::upgrade_resource_state::Request {
    pb::upgrade_resource_state::Request {
        type_name: request.type_name.to_string(),
        version: request.version,
        raw_state: raw_state(request.raw_state),
    }
}

impl From<pb::upgrade_resource_state::Response> for UpgradeResourceStateResponse {
    fn from(response: pb::upgrade_resource_state::Response) -> Self {
        Self { upgraded_state: from_wire(response.upgraded_state), diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Brings a stored identity to the current version.
pub(crate) fn upgrade_resource_identity(
    request: UpgradeResourceIdentityRequest,
) -> pb::upgrade_resource_identity::Request {
    pb::upgrade_resource_identity::Request {
        type_name: request.type_name.to_string(),
        version: request.version,
        raw_identity: raw_state(request.raw_identity),
    }
}

impl From<pb::upgrade_resource_identity::Response> for UpgradeResourceIdentityResponse {
    fn from(response: pb::upgrade_resource_identity::Response) -> Self {
        Self {
            upgraded_identity: identity_from_wire(response.upgraded_identity).unwrap_or_default(),
            diagnostics: diagnostics(response.diagnostics),
        }
    }
}

/// Looks at the real object.
pub(crate) fn read_resource(
    request: ReadResourceRequest,
    types: &Types,
) -> Result<pb::read_resource::Request, CallError> {
    Ok(pb::read_resource::Request {
        current_state: types.value(&request.current_state, "state")?,
        provider_meta: types.meta(&request.provider_meta)?,
        current_identity: types.identity(request.current_identity.as_ref())?,
        type_name: request.type_name.to_string(),
        private: request.private,
        client_capabilities: client_capabilities(request.client_capabilities),
    })
}

impl From<pb::read_resource::Response> for ReadResourceResponse {
    fn from(response: pb::read_resource::Response) -> Self {
        Self {
            new_state: from_wire(response.new_state),
            diagnostics: diagnostics(response.diagnostics),
            private: response.private,
            deferred: deferred(response.deferred),
            new_identity: identity_from_wire(response.new_identity),
        }
    }
}

/// Asks what apply would do.
pub(crate) fn plan_resource_change(
    request: PlanResourceChangeRequest,
    types: &Types,
) -> Result<pb::plan_resource_change::Request, CallError> {
    Ok(pb::plan_resource_change::Request {
        prior_state: types.value(&request.prior_state, "prior state")?,
        proposed_new_state: types.value(&request.proposed_new_state, "proposed new state")?,
        config: types.value(&request.config, "configuration")?,
        provider_meta: types.meta(&request.provider_meta)?,
        prior_identity: types.identity(request.prior_identity.as_ref())?,
        type_name: request.type_name.to_string(),
        prior_private: request.prior_private,
        client_capabilities: client_capabilities(request.client_capabilities),
        planned_private: request.planned_private,
    })
}

impl From<pb::plan_resource_change::Response> for PlanResourceChangeResponse {
    fn from(response: pb::plan_resource_change::Response) -> Self {
        Self {
            planned_state: from_wire(response.planned_state),
            requires_replace: response.requires_replace.into_iter().map(path).collect(),
            planned_private: response.planned_private,
            diagnostics: diagnostics(response.diagnostics),
            legacy_type_system: response.legacy_type_system,
            deferred: deferred(response.deferred),
            planned_identity: identity_from_wire(response.planned_identity),
        }
    }
}

/// Creates, updates or deletes.
pub(crate) fn apply_resource_change(
    request: ApplyResourceChangeRequest,
    types: &Types,
) -> Result<pb::apply_resource_change::Request, CallError> {
    Ok(pb::apply_resource_change::Request {
        prior_state: types.value(&request.prior_state, "prior state")?,
        planned_state: types.value(&request.planned_state, "planned state")?,
        config: types.value(&request.config, "configuration")?,
        provider_meta: types.meta(&request.provider_meta)?,
        planned_identity: types.identity(request.planned_identity.as_ref())?,
        type_name: request.type_name.to_string(),
        planned_private: request.planned_private,
    })
}

impl From<pb::apply_resource_change::Response> for ApplyResourceChangeResponse {
    fn from(response: pb::apply_resource_change::Response) -> Self {
        Self {
            new_state: from_wire(response.new_state),
            private: response.private,
            diagnostics: diagnostics(response.diagnostics),
            legacy_type_system: response.legacy_type_system,
            new_identity: identity_from_wire(response.new_identity),
        }
    }
}

/// Finds an existing object.
pub(crate) fn import_resource_state(
    request: ImportResourceStateRequest,
    types: &Types,
) -> Result<pb::import_resource_state::Request, CallError> {
    Ok(pb::import_resource_state::Request {
        identity: types.identity(request.identity.as_ref())?,
        type_name: request.type_name.to_string(),
        id: request.id,
        client_capabilities: client_capabilities(request.client_capabilities),
    })
}

impl From<pb::import_resource_state::Response> for ImportResourceStateResponse {
    fn from(response: pb::import_resource_state::Response) -> Self {
        let imported = |resource: pb::import_resource_state::ImportedResource| ImportedResource {
            type_name: Arc::from(resource.type_name),
            state: from_wire(resource.state),
            private: resource.private,
            identity: identity_from_wire(resource.identity),
        };
        Self {
            imported_resources: response.imported_resources.into_iter().map(imported).collect(),
            diagnostics: diagnostics(response.diagnostics),
            deferred: deferred(response.deferred),
        }
    }
}

/// Asks for the configuration of an existing object.
pub(crate) fn generate_resource_config(
    request: GenerateResourceConfigRequest,
    types: &Types,
) -> Result<pb::generate_resource_config::Request, CallError> {
    let state = types.value(&request.state, "state")?;
    Ok(pb::generate_resource_config::Request { type_name: request.type_name.to_string(), state })
}

impl From<pb::generate_resource_config::Response> for GenerateResourceConfigResponse {
    fn from(response: pb::generate_resource_config::Response) -> Self {
        Self { config: from_wire(response.config), diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Takes over the state of another resource type.
pub(crate) fn move_resource_state(request: MoveResourceStateRequest) -> pb::move_resource_state::Request {
    pb::move_resource_state::Request {
        source_provider_address: request.source_provider_address,
        source_type_name: request.source_type_name,
        source_schema_version: request.source_schema_version,
        source_state: raw_state(request.source_state),
        target_type_name: request.target_type_name.to_string(),
        source_private: request.source_private,
        source_identity: raw_state(request.source_identity),
        source_identity_schema_version: request.source_identity_schema_version,
    }
}

impl From<pb::move_resource_state::Response> for MoveResourceStateResponse {
    fn from(response: pb::move_resource_state::Response) -> Self {
        Self {
            target_state: from_wire(response.target_state),
            diagnostics: diagnostics(response.diagnostics),
            target_private: response.target_private,
            target_identity: identity_from_wire(response.target_identity),
        }
    }
}
