//! State stores.

use denobridge_core::provider::{
    ConfigureStateStoreRequest, ConfigureStateStoreResponse, DeleteStateRequest, DeleteStateResponse, GetStatesRequest,
    GetStatesResponse, LockStateRequest, LockStateResponse, ReadStateBytesRequest, StateChunk, UnlockStateRequest,
    UnlockStateResponse, ValidateStateStoreConfigRequest, ValidateStateStoreConfigResponse, WriteStateBytesRequest,
    WriteStateBytesResponse,
};
use denobridge_core::{CallError, Diagnostics};
use futures::{Stream, StreamExt as _};

use super::{Types, diagnostics};
use crate::proto::tfplugin6 as pb;

/// Checks a state store's configuration.
pub(crate) fn validate_state_store_config(
    request: ValidateStateStoreConfigRequest,
    types: &Types,
) -> Result<pb::validate_state_store_config::Request, CallError> {
    let config = types.value(&request.config, "configuration")?;
    Ok(pb::validate_state_store_config::Request { type_name: request.type_name.to_string(), config })
}

impl From<pb::validate_state_store_config::Response> for ValidateStateStoreConfigResponse {
    fn from(response: pb::validate_state_store_config::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Hands a state store its configuration.
pub(crate) fn configure_state_store(
    request: ConfigureStateStoreRequest,
    types: &Types,
) -> Result<pb::configure_state_store::Request, CallError> {
    Ok(pb::configure_state_store::Request {
        config: types.value(&request.config, "configuration")?,
        type_name: request.type_name.to_string(),
        capabilities: Some(pb::StateStoreClientCapabilities { chunk_size: request.chunk_size }),
    })
}

impl From<pb::configure_state_store::Response> for ConfigureStateStoreResponse {
    fn from(response: pb::configure_state_store::Response) -> Self {
        Self {
            diagnostics: diagnostics(response.diagnostics),
            chunk_size: response.capabilities.unwrap_or_default().chunk_size,
        }
    }
}

/// Asks for a state.
pub(crate) fn read_state_bytes(request: ReadStateBytesRequest) -> pb::read_state_bytes::Request {
    pb::read_state_bytes::Request { type_name: request.type_name.to_string(), state_id: request.state_id }
}

/// One part of a state, or why there is none.
pub(crate) fn read_state_chunk(chunk: pb::read_state_bytes::ResponseChunk) -> Result<StateChunk, Diagnostics> {
    if !chunk.diagnostics.is_empty() {
        return Err(diagnostics(chunk.diagnostics));
    }
    let range = chunk.range.unwrap_or_default();
    Ok(StateChunk { bytes: chunk.bytes, total_length: chunk.total_length, start: range.start, end: range.end })
}

/// Writes a state. The first chunk says which.
pub(crate) fn write_state_chunks(
    request: WriteStateBytesRequest,
) -> impl Stream<Item = pb::write_state_bytes::RequestChunk> + Send + 'static {
    let mut meta = Some(pb::RequestChunkMeta { type_name: request.type_name.to_string(), state_id: request.state_id });
    request.chunks.map(move |chunk| pb::write_state_bytes::RequestChunk {
        meta: meta.take(),
        bytes: chunk.bytes,
        total_length: chunk.total_length,
        range: Some(pb::StateByteRange { start: chunk.start, end: chunk.end }),
    })
}

impl From<pb::write_state_bytes::Response> for WriteStateBytesResponse {
    fn from(response: pb::write_state_bytes::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Locks a state.
pub(crate) fn lock_state(request: LockStateRequest) -> pb::lock_state::Request {
    pb::lock_state::Request {
        type_name: request.type_name.to_string(),
        state_id: request.state_id,
        operation: request.operation,
    }
}

impl From<pb::lock_state::Response> for LockStateResponse {
    fn from(response: pb::lock_state::Response) -> Self {
        Self { lock_id: response.lock_id, diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Unlocks a state.
pub(crate) fn unlock_state(request: UnlockStateRequest) -> pb::unlock_state::Request {
    pb::unlock_state::Request {
        type_name: request.type_name.to_string(),
        state_id: request.state_id,
        lock_id: request.lock_id,
    }
}

impl From<pb::unlock_state::Response> for UnlockStateResponse {
    fn from(response: pb::unlock_state::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Asks for the names of all states.
pub(crate) fn get_states(request: &GetStatesRequest) -> pb::get_states::Request {
    pb::get_states::Request { type_name: request.type_name.to_string() }
}

impl From<pb::get_states::Response> for GetStatesResponse {
    fn from(response: pb::get_states::Response) -> Self {
        Self { state_ids: response.state_ids, diagnostics: diagnostics(response.diagnostics) }
    }
}

/// Deletes a state.
pub(crate) fn delete_state(request: DeleteStateRequest) -> pb::delete_state::Request {
    pb::delete_state::Request { type_name: request.type_name.to_string(), state_id: request.state_id }
}

impl From<pb::delete_state::Response> for DeleteStateResponse {
    fn from(response: pb::delete_state::Response) -> Self {
        Self { diagnostics: diagnostics(response.diagnostics) }
    }
}
