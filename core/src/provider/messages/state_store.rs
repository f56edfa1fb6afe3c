//! Messages about state stores.

use std::sync::Arc;

use bytes::Bytes;
use futures::stream::BoxStream;

use crate::diagnostics::Diagnostics;
use crate::dynamic_value::DynamicValue;

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
