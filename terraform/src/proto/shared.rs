//! Which messages of protocol 5 are one Rust type with a message of protocol 6.
//!
//! Read by the build script, which does not generate them twice, and by the protocol tests, which prove that each pair has
//! the same fields.

/// Messages of `tfplugin5` with their namesakes in `tfplugin6`, and all that is nested in them. A message of protocol 6 may
/// have fields that protocol 5 lacks: [`ONLY_IN_6`].
pub const SHARED_MESSAGES: &[(&str, &str)] = &[
    ("ApplyResourceChange", "ApplyResourceChange"),
    ("AttributePath", "AttributePath"),
    ("CallFunction", "CallFunction"),
    ("ClientCapabilities", "ClientCapabilities"),
    ("CloseEphemeralResource", "CloseEphemeralResource"),
    ("Configure", "ConfigureProvider"),
    ("Deferred", "Deferred"),
    ("Diagnostic", "Diagnostic"),
    ("DynamicValue", "DynamicValue"),
    ("Function", "Function"),
    ("FunctionError", "FunctionError"),
    ("GenerateResourceConfig", "GenerateResourceConfig"),
    ("GetFunctions", "GetFunctions"),
    ("GetMetadata.ActionMetadata", "GetMetadata.ActionMetadata"),
    ("GetMetadata.DataSourceMetadata", "GetMetadata.DataSourceMetadata"),
    ("GetMetadata.EphemeralResourceMetadata", "GetMetadata.EphemeralResourceMetadata"),
    ("GetMetadata.FunctionMetadata", "GetMetadata.FunctionMetadata"),
    ("GetMetadata.ListResourceMetadata", "GetMetadata.ListResourceMetadata"),
    ("GetMetadata.Request", "GetMetadata.Request"),
    ("GetMetadata.ResourceMetadata", "GetMetadata.ResourceMetadata"),
    ("GetProviderSchema.Request", "GetProviderSchema.Request"),
    ("GetResourceIdentitySchemas", "GetResourceIdentitySchemas"),
    ("ImportResourceState", "ImportResourceState"),
    ("InvokeAction", "InvokeAction"),
    ("ListResource", "ListResource"),
    ("MoveResourceState", "MoveResourceState"),
    ("OpenEphemeralResource", "OpenEphemeralResource"),
    ("PlanAction", "PlanAction"),
    ("PlanResourceChange", "PlanResourceChange"),
    ("PrepareProviderConfig.Request", "ValidateProviderConfig.Request"),
    ("RawState", "RawState"),
    ("ReadDataSource", "ReadDataSource"),
    ("ReadResource", "ReadResource"),
    ("RenewEphemeralResource", "RenewEphemeralResource"),
    ("ResourceIdentityData", "ResourceIdentityData"),
    ("ResourceIdentitySchema", "ResourceIdentitySchema"),
    ("ServerCapabilities", "ServerCapabilities"),
    ("Stop", "StopProvider"),
    ("StringKind", "StringKind"),
    ("UpgradeResourceIdentity", "UpgradeResourceIdentity"),
    ("UpgradeResourceState", "UpgradeResourceState"),
    ("ValidateActionConfig", "ValidateActionConfig"),
    ("ValidateDataSourceConfig", "ValidateDataResourceConfig"),
    ("ValidateEphemeralResourceConfig", "ValidateEphemeralResourceConfig"),
    ("ValidateListResourceConfig", "ValidateListResourceConfig"),
    ("ValidateResourceTypeConfig", "ValidateResourceConfig"),
];

/// Fields of shared messages that hosts of protocol 5 never set. All of them are in requests, so that nothing unknown to
/// such hosts is ever sent.
// Only the protocol tests read it.
#[allow(dead_code)]
pub const ONLY_IN_6: &[&str] = &[
    "ClientCapabilities.computed_blocks_allowed",
    "ClientCapabilities.store_planned_private",
    "PlanResourceChange.Request.planned_private",
];
