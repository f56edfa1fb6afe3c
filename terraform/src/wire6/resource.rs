//! Managed resources.

use denobridge_core::provider::{
    ApplyResourceChangeRequest, ApplyResourceChangeResponse, GenerateResourceConfigRequest,
    GenerateResourceConfigResponse, ImportResourceStateRequest, ImportResourceStateResponse, ImportedResource,
    MoveResourceStateRequest, MoveResourceStateResponse, PlanResourceChangeRequest, PlanResourceChangeResponse,
    ReadResourceRequest, ReadResourceResponse, UpgradeResourceIdentityRequest, UpgradeResourceIdentityResponse,
    UpgradeResourceStateRequest, UpgradeResourceStateResponse, ValidateResourceConfigRequest,
};
use denobridge_core::{Diagnostic, Diagnostics};

use super::diagnostics::path;
use super::value::{from_wire, identity_from_wire, identity_to_wire, to_wire};
use super::{Component, client_capabilities, deferred, diagnostics, raw_state};
use crate::proto::tfplugin6 as pb;

impl From<pb::validate_resource_config::Request> for ValidateResourceConfigRequest {
    fn from(request: pb::validate_resource_config::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            config: from_wire(request.config),
            client_capabilities: client_capabilities(request.client_capabilities),
        }
    }
}

impl From<pb::upgrade_resource_state::Request> for UpgradeResourceStateRequest {
    fn from(request: pb::upgrade_resource_state::Request) -> Self {
        Self { type_name: request.type_name.into(), version: request.version, raw_state: raw_state(request.raw_state) }
    }
}

/// The state in its current form.
pub(crate) fn upgrade_resource_state(
    mut response: UpgradeResourceStateResponse,
    component: &Component,
) -> pb::upgrade_resource_state::Response {
    let state = to_wire(&response.upgraded_state, &component.ty, "upgraded state", &mut response.diagnostics);
    pb::upgrade_resource_state::Response { upgraded_state: state, diagnostics: diagnostics(response.diagnostics) }
}

impl From<pb::upgrade_resource_identity::Request> for UpgradeResourceIdentityRequest {
    fn from(request: pb::upgrade_resource_identity::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            version: request.version,
            raw_identity: raw_state(request.raw_identity),
        }
    }
}

/// The identity in its current form.
pub(crate) fn upgrade_resource_identity(
    mut response: UpgradeResourceIdentityResponse,
    component: &Component,
) -> pb::upgrade_resource_identity::Response {
    let identity = Some(&response.upgraded_identity);
    let upgraded_identity = identity_to_wire(identity, component.identity.as_ref(), &mut response.diagnostics);
    pb::upgrade_resource_identity::Response { upgraded_identity, diagnostics: diagnostics(response.diagnostics) }
}

impl From<pb::read_resource::Request> for ReadResourceRequest {
    fn from(request: pb::read_resource::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            current_state: from_wire(request.current_state),
            private: request.private,
            provider_meta: from_wire(request.provider_meta),
            client_capabilities: client_capabilities(request.client_capabilities),
            current_identity: identity_from_wire(request.current_identity),
        }
    }
}

/// What the provider found.
pub(crate) fn read_resource(mut response: ReadResourceResponse, component: &Component) -> pb::read_resource::Response {
    let messages = &mut response.diagnostics;
    let new_state = to_wire(&response.new_state, &component.ty, "state after reading", messages);
    let new_identity = identity_to_wire(response.new_identity.as_ref(), component.identity.as_ref(), messages);
    pb::read_resource::Response {
        new_state,
        diagnostics: diagnostics(response.diagnostics),
        private: response.private,
        deferred: deferred(response.deferred),
        new_identity,
    }
}

impl From<pb::plan_resource_change::Request> for PlanResourceChangeRequest {
    fn from(request: pb::plan_resource_change::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            prior_state: from_wire(request.prior_state),
            proposed_new_state: from_wire(request.proposed_new_state),
            config: from_wire(request.config),
            prior_private: request.prior_private,
            provider_meta: from_wire(request.provider_meta),
            client_capabilities: client_capabilities(request.client_capabilities),
            prior_identity: identity_from_wire(request.prior_identity),
            planned_private: request.planned_private,
        }
    }
}

/// What apply would do.
pub(crate) fn plan_resource_change(
    mut response: PlanResourceChangeResponse,
    component: &Component,
) -> pb::plan_resource_change::Response {
    let messages = &mut response.diagnostics;
    let planned_state = to_wire(&response.planned_state, &component.ty, "planned state", messages);
    let planned_identity = identity_to_wire(response.planned_identity.as_ref(), component.identity.as_ref(), messages);
    pb::plan_resource_change::Response {
        planned_state,
        requires_replace: response.requires_replace.iter().map(path).collect(),
        planned_private: response.planned_private,
        diagnostics: diagnostics(response.diagnostics),
        legacy_type_system: response.legacy_type_system,
        deferred: deferred(response.deferred),
        planned_identity,
    }
}

impl From<pb::apply_resource_change::Request> for ApplyResourceChangeRequest {
    fn from(request: pb::apply_resource_change::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            prior_state: from_wire(request.prior_state),
            planned_state: from_wire(request.planned_state),
            config: from_wire(request.config),
            planned_private: request.planned_private,
            provider_meta: from_wire(request.provider_meta),
            planned_identity: identity_from_wire(request.planned_identity),
        }
    }
}

/// What became of the change.
pub(crate) fn apply_resource_change(
    mut response: ApplyResourceChangeResponse,
    component: &Component,
) -> pb::apply_resource_change::Response {
    let messages = &mut response.diagnostics;
    let new_state = to_wire(&response.new_state, &component.ty, "state after applying", messages);
    let new_identity = identity_to_wire(response.new_identity.as_ref(), component.identity.as_ref(), messages);
    pb::apply_resource_change::Response {
        new_state,
        private: response.private,
        diagnostics: diagnostics(response.diagnostics),
        legacy_type_system: response.legacy_type_system,
        new_identity,
    }
}

impl From<pb::import_resource_state::Request> for ImportResourceStateRequest {
    fn from(request: pb::import_resource_state::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            id: request.id,
            client_capabilities: client_capabilities(request.client_capabilities),
            identity: identity_from_wire(request.identity),
        }
    }
}

/// The objects found. An import may yield other resource types than the one asked for, so `component` finds each type;
/// objects of unknown types are left out with an error.
pub(crate) fn import_resource_state(
    mut response: ImportResourceStateResponse,
    component: impl Fn(&str) -> Option<std::sync::Arc<Component>>,
) -> pb::import_resource_state::Response {
    let mut imported_resources = Vec::with_capacity(response.imported_resources.len());
    for imported in response.imported_resources {
        match component(&imported.type_name) {
            Some(component) => {
                imported_resources.extend(imported_resource(imported, &component, &mut response.diagnostics));
            }
            None => response.diagnostics.push(Diagnostic::error(
                "Provider imported an unknown resource type",
                format!(
                    "The import returned a resource of type {:?}, which the provider's schema does not have. This is a \
                     bug in the provider.",
                    imported.type_name
                ),
            )),
        }
    }
    pb::import_resource_state::Response {
        imported_resources,
        diagnostics: diagnostics(response.diagnostics),
        deferred: deferred(response.deferred),
    }
}

fn imported_resource(
    imported: ImportedResource,
    component: &Component,
    messages: &mut Diagnostics,
) -> Option<pb::import_resource_state::ImportedResource> {
    let state = to_wire(&imported.state, &component.ty, "imported state", messages)?;
    Some(pb::import_resource_state::ImportedResource {
        type_name: imported.type_name.to_string(),
        state: Some(state),
        private: imported.private,
        identity: identity_to_wire(imported.identity.as_ref(), component.identity.as_ref(), messages),
    })
}

impl From<pb::generate_resource_config::Request> for GenerateResourceConfigRequest {
    fn from(request: pb::generate_resource_config::Request) -> Self {
        Self { type_name: request.type_name.into(), state: from_wire(request.state) }
    }
}

/// Configuration for an existing object.
pub(crate) fn generate_resource_config(
    mut response: GenerateResourceConfigResponse,
    component: &Component,
) -> pb::generate_resource_config::Response {
    let config = to_wire(&response.config, &component.ty, "generated configuration", &mut response.diagnostics);
    pb::generate_resource_config::Response { config, diagnostics: diagnostics(response.diagnostics) }
}

impl From<pb::move_resource_state::Request> for MoveResourceStateRequest {
    fn from(request: pb::move_resource_state::Request) -> Self {
        Self {
            source_provider_address: request.source_provider_address,
            source_type_name: request.source_type_name,
            source_schema_version: request.source_schema_version,
            source_state: raw_state(request.source_state),
            target_type_name: request.target_type_name.into(),
            source_private: request.source_private,
            source_identity: raw_state(request.source_identity),
            source_identity_schema_version: request.source_identity_schema_version,
        }
    }
}

/// The state under its new type.
pub(crate) fn move_resource_state(
    mut response: MoveResourceStateResponse,
    component: &Component,
) -> pb::move_resource_state::Response {
    let messages = &mut response.diagnostics;
    let target_state = to_wire(&response.target_state, &component.ty, "moved state", messages);
    let target_identity = identity_to_wire(response.target_identity.as_ref(), component.identity.as_ref(), messages);
    pb::move_resource_state::Response {
        target_state,
        diagnostics: diagnostics(response.diagnostics),
        target_private: response.target_private,
        target_identity,
    }
}
