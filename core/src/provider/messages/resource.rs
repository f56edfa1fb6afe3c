//! Messages about managed resources.

use std::sync::Arc;

use bytes::Bytes;

use super::{ClientCapabilities, Deferred, RawState};
use crate::cty::Path;
use crate::diagnostics::Diagnostics;
use crate::dynamic_value::DynamicValue;

/// One object that an import found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedResource {
    /// Its resource type.
    pub type_name: Arc<str>,
    /// Its state, complete enough for a read.
    pub state: DynamicValue,
    /// The provider's private data.
    pub private: Bytes,
    /// Its identity, if the resource has one.
    pub identity: Option<DynamicValue>,
}

/// Request of `UpgradeResourceIdentity`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpgradeResourceIdentityRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// Version of the stored identity.
    pub version: i64,
    /// The stored identity.
    pub raw_identity: RawState,
}

/// Response of `UpgradeResourceIdentity`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpgradeResourceIdentityResponse {
    /// The identity in its current form.
    pub upgraded_identity: DynamicValue,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `ValidateResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateResourceConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `ValidateResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateResourceConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `UpgradeResourceState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpgradeResourceStateRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// Version of the stored state.
    pub version: i64,
    /// The stored state.
    pub raw_state: RawState,
}

/// Response of `UpgradeResourceState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpgradeResourceStateResponse {
    /// The state in its current form.
    pub upgraded_state: DynamicValue,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `ReadResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadResourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The state as last known.
    pub current_state: DynamicValue,
    /// The provider's private data; opaque to everyone else.
    pub private: Bytes,
    /// The module's `provider_meta` block.
    pub provider_meta: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
    /// The identity as last known.
    pub current_identity: Option<DynamicValue>,
}

/// Response of `ReadResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadResourceResponse {
    /// The state as found; null: gone.
    pub new_state: DynamicValue,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// The provider's private data to keep; empty erases it.
    pub private: Bytes,
    /// Set when the provider cannot say yet; only if the asker allowed it.
    pub deferred: Option<Deferred>,
    /// The identity as found.
    pub new_identity: Option<DynamicValue>,
}

/// Request of `PlanResourceChange`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanResourceChangeRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The state before; null: create.
    pub prior_state: DynamicValue,
    /// Configuration merged into the prior state; null: delete.
    pub proposed_new_state: DynamicValue,
    /// The configuration.
    pub config: DynamicValue,
    /// Private data of the prior state.
    pub prior_private: Bytes,
    /// The module's `provider_meta` block.
    pub provider_meta: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
    /// The identity before.
    pub prior_identity: Option<DynamicValue>,
    /// Private data of the first plan, in an apply-time plan of an asker that keeps it.
    pub planned_private: Bytes,
}

/// Response of `PlanResourceChange`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanResourceChangeResponse {
    /// The state after, as far as known.
    pub planned_state: DynamicValue,
    /// What forces a replacement.
    pub requires_replace: Vec<Path>,
    /// Private data for apply.
    pub planned_private: Bytes,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// The provider cannot keep to the consistency rules (old SDK only).
    pub legacy_type_system: bool,
    /// Set when the provider cannot say yet; only if the asker allowed it.
    pub deferred: Option<Deferred>,
    /// The identity after, as far as known.
    pub planned_identity: Option<DynamicValue>,
}

/// Request of `ApplyResourceChange`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApplyResourceChangeRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The state before; null: create.
    pub prior_state: DynamicValue,
    /// The state that was planned; null: delete.
    pub planned_state: DynamicValue,
    /// The configuration.
    pub config: DynamicValue,
    /// Private data of the plan.
    pub planned_private: Bytes,
    /// The module's `provider_meta` block.
    pub provider_meta: DynamicValue,
    /// The identity that was planned.
    pub planned_identity: Option<DynamicValue>,
}

/// Response of `ApplyResourceChange`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ApplyResourceChangeResponse {
    /// The state after. With errors: what exists nevertheless.
    pub new_state: DynamicValue,
    /// The provider's private data to keep; empty erases it.
    pub private: Bytes,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// The provider cannot keep to the consistency rules (old SDK only).
    pub legacy_type_system: bool,
    /// The identity after.
    pub new_identity: Option<DynamicValue>,
}

/// Request of `ImportResourceState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportResourceStateRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The id the user gave; empty when by identity.
    pub id: String,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
    /// The identity the user gave.
    pub identity: Option<DynamicValue>,
}

/// Response of `ImportResourceState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportResourceStateResponse {
    /// What was found.
    pub imported_resources: Vec<ImportedResource>,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// Set when the provider cannot say yet; only if the asker allowed it.
    pub deferred: Option<Deferred>,
}

/// Request of `GenerateResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GenerateResourceConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The state to write configuration for.
    pub state: DynamicValue,
}

/// Response of `GenerateResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GenerateResourceConfigResponse {
    /// The configuration.
    pub config: DynamicValue,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `MoveResourceState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveResourceStateRequest {
    /// Where the state comes from.
    pub source_provider_address: String,
    /// Its resource type there.
    pub source_type_name: String,
    /// Version of the stored state.
    pub source_schema_version: i64,
    /// The stored state.
    pub source_state: RawState,
    /// The resource type that takes it over.
    pub target_type_name: Arc<str>,
    /// Private data of the source.
    pub source_private: Bytes,
    /// The stored identity.
    pub source_identity: RawState,
    /// Version of the stored identity.
    pub source_identity_schema_version: i64,
}

/// Response of `MoveResourceState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MoveResourceStateResponse {
    /// The state in the new type.
    pub target_state: DynamicValue,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// Private data to keep.
    pub target_private: Bytes,
    /// The identity in the new type.
    pub target_identity: Option<DynamicValue>,
}
