//! Requests and responses of the seam: protocol 6.11 with our own types.
//!
//! Where the protocol has a field we use its meaning and, but for words it shortens, its name. `type_name` is always
//! Terraform's name of the component (`denobridge_resource`).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use futures::stream::BoxStream;

use crate::cty::Path;
use crate::diagnostics::Diagnostics;
use crate::dynamic_value::DynamicValue;
use crate::schema::ProviderSchema;

/// What the asker can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientCapabilities {
    /// The provider may answer that it cannot yet say ([`Deferred`]).
    pub deferral_allowed: bool,
    /// Write-only attributes may be in schemas.
    pub write_only_attributes_allowed: bool,
    /// Planned private data is handed back to the apply-time plan.
    pub store_planned_private: bool,
    /// Computed blocks may be in schemas.
    pub computed_blocks_allowed: bool,
}

/// What the provider can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServerCapabilities {
    /// Wants to plan deletions too.
    pub plan_destroy: bool,
    /// Works although the schema was not asked for first.
    pub get_provider_schema_optional: bool,
    /// Can take over the state of other resource types.
    pub move_resource_state: bool,
    /// Can write configuration for existing objects.
    pub generate_resource_config: bool,
}

/// Why a provider cannot say yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deferred {
    /// No reason given.
    Unknown,
    /// The resource's configuration has unknown values.
    ResourceConfigUnknown,
    /// The provider's configuration has unknown values.
    ProviderConfigUnknown,
    /// Something that must exist first does not.
    AbsentPrerequisite,
}

/// State as stored, before its schema version is known to be current.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawState {
    /// JSON; empty when the state is in `flatmap`.
    pub json: Bytes,
    /// The form of Terraform before 0.12.
    pub flatmap: BTreeMap<String, String>,
}

/// A function's failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionError {
    /// What was wrong.
    pub text: String,
    /// Which argument, counted from 0.
    pub argument: Option<i64>,
}

/// Part of a state: its bytes and where they lie in the whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateChunk {
    /// The bytes.
    pub bytes: Bytes,
    /// Length of the whole state in bytes.
    pub total_length: i64,
    /// Offset of the first byte.
    pub start: i64,
    /// Offset of the last byte.
    pub end: i64,
}

/// What an action tells while it runs. A stream ends with `Completed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InvokeActionEvent {
    /// A message for whoever watches.
    Progress(String),
    /// The end, with everything that went wrong.
    Completed(Diagnostics),
}

/// One object that a list resource found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListResourceEvent {
    /// The object's identity.
    pub identity: DynamicValue,
    /// What people call it.
    pub display_name: String,
    /// The whole object, if asked for.
    pub resource_object: Option<DynamicValue>,
    /// What there is to say about it.
    pub diagnostics: Diagnostics,
}

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

/// Request of `GetMetadata`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetMetadataRequest {}

/// Response of `GetMetadata`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetMetadataResponse {
    /// What the provider can do.
    pub server_capabilities: ServerCapabilities,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// Type names.
    pub data_sources: Vec<Arc<str>>,
    /// Type names.
    pub resources: Vec<Arc<str>>,
    /// Names.
    pub functions: Vec<Arc<str>>,
    /// Type names.
    pub ephemeral_resources: Vec<Arc<str>>,
    /// Type names.
    pub list_resources: Vec<Arc<str>>,
    /// Type names.
    pub state_stores: Vec<Arc<str>>,
    /// Type names.
    pub actions: Vec<Arc<str>>,
}

/// Request of `GetProviderSchema`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetProviderSchemaRequest {}

/// Response of `GetProviderSchema`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetProviderSchemaResponse {
    /// The schema.
    pub schema: Arc<ProviderSchema>,
    /// What the provider can do.
    pub server_capabilities: ServerCapabilities,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
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

/// Request of `ValidateProviderConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateProviderConfigRequest {
    /// The configuration.
    pub config: DynamicValue,
}

/// Response of `ValidateProviderConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateProviderConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `ConfigureProvider`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigureProviderRequest {
    /// Version of the asker.
    pub terraform_version: String,
    /// The configuration.
    pub config: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `ConfigureProvider`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigureProviderResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `StopProvider`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StopProviderRequest {}

/// Response of `StopProvider`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StopProviderResponse {
    /// Empty, or why stopping failed.
    pub error: String,
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

/// Request of `ValidateDataResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateDataResourceConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
}

/// Response of `ValidateDataResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateDataResourceConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `ReadDataSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadDataSourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// The module's `provider_meta` block.
    pub provider_meta: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `ReadDataSource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadDataSourceResponse {
    /// The result.
    pub state: DynamicValue,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// Set when the provider cannot say yet; only if the asker allowed it.
    pub deferred: Option<Deferred>,
}

/// Request of `ValidateEphemeralResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateEphemeralResourceConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
}

/// Response of `ValidateEphemeralResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateEphemeralResourceConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `OpenEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenEphemeralResourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `OpenEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenEphemeralResourceResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// When to renew; none: never.
    pub renew_at: Option<SystemTime>,
    /// The result.
    pub result: DynamicValue,
    /// Private data for renew and close.
    pub private: Bytes,
    /// Set when the provider cannot say yet; only if the asker allowed it.
    pub deferred: Option<Deferred>,
}

/// Request of `RenewEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenewEphemeralResourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The provider's private data; opaque to everyone else.
    pub private: Bytes,
}

/// Response of `RenewEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenewEphemeralResourceResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// When to renew; none: never.
    pub renew_at: Option<SystemTime>,
    /// Private data for the next renew and close.
    pub private: Bytes,
}

/// Request of `CloseEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloseEphemeralResourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The provider's private data; opaque to everyone else.
    pub private: Bytes,
}

/// Response of `CloseEphemeralResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CloseEphemeralResourceResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `CallFunction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallFunctionRequest {
    /// The function's name.
    pub name: Arc<str>,
    /// One value per argument, variadic ones apart.
    pub arguments: Vec<DynamicValue>,
}

/// Response of `CallFunction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CallFunctionResponse {
    /// The result.
    pub result: DynamicValue,
    /// Set when it failed.
    pub error: Option<FunctionError>,
}

/// Request of `ValidateListResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateListResourceConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// Whether whole objects are wanted; a bool, maybe unknown.
    pub include_resource_object: DynamicValue,
    /// How many at most; a number, maybe unknown.
    pub limit: DynamicValue,
}

/// Response of `ValidateListResourceConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateListResourceConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `ListResource`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListResourceRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// Whether whole objects are wanted.
    pub include_resource_object: bool,
    /// How many at most.
    pub limit: i64,
}

/// Response of `ListResource`.
pub struct ListResourceResponse {
    /// What was found, as it is found.
    pub events: BoxStream<'static, ListResourceEvent>,
}

/// Request of `ValidateActionConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateActionConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
}

/// Response of `ValidateActionConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateActionConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `PlanAction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanActionRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `PlanAction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanActionResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// Set when the provider cannot say yet; only if the asker allowed it.
    pub deferred: Option<Deferred>,
}

/// Request of `InvokeAction`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InvokeActionRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// What the asker can do.
    pub client_capabilities: ClientCapabilities,
}

/// Response of `InvokeAction`.
pub struct InvokeActionResponse {
    /// What the action tells, ending with [`InvokeActionEvent::Completed`].
    pub events: BoxStream<'static, InvokeActionEvent>,
}

/// Request of `ValidateStateStoreConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateStateStoreConfigRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
}

/// Response of `ValidateStateStoreConfig`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValidateStateStoreConfigResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `ConfigureStateStore`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigureStateStoreRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// The configuration.
    pub config: DynamicValue,
    /// Chunk size the asker wants, in bytes.
    pub chunk_size: i64,
}

/// Response of `ConfigureStateStore`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigureStateStoreResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
    /// Chunk size the provider will use, in bytes.
    pub chunk_size: i64,
}

/// Request of `ReadStateBytes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadStateBytesRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// Which state.
    pub state_id: String,
}

/// Response of `ReadStateBytes`.
pub struct ReadStateBytesResponse {
    /// The state in order; diagnostics end the stream.
    pub chunks: BoxStream<'static, Result<StateChunk, Diagnostics>>,
}

/// Request of `WriteStateBytes`.
pub struct WriteStateBytesRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// Which state.
    pub state_id: String,
    /// The state in order.
    pub chunks: BoxStream<'static, StateChunk>,
}

/// Response of `WriteStateBytes`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WriteStateBytesResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `LockState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockStateRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// Which state.
    pub state_id: String,
    /// What the lock is for.
    pub operation: String,
}

/// Response of `LockState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LockStateResponse {
    /// What unlocks it.
    pub lock_id: String,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `UnlockState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnlockStateRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// Which state.
    pub state_id: String,
    /// What locking returned.
    pub lock_id: String,
}

/// Response of `UnlockState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnlockStateResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `GetStates`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetStatesRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
}

/// Response of `GetStates`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GetStatesResponse {
    /// All states.
    pub state_ids: Vec<String>,
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}

/// Request of `DeleteState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteStateRequest {
    /// The component's type name.
    pub type_name: Arc<str>,
    /// Which state.
    pub state_id: String,
}

/// Response of `DeleteState`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteStateResponse {
    /// What the provider has to say.
    pub diagnostics: Diagnostics,
}
