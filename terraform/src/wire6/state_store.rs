//! State stores.

use denobridge_core::Diagnostics;
use denobridge_core::provider::{
    ConfigureStateStoreRequest, ConfigureStateStoreResponse, DeleteStateRequest, GetStatesRequest, GetStatesResponse,
    LockStateRequest, LockStateResponse, ReadStateBytesRequest, StateChunk, UnlockStateRequest,
    ValidateStateStoreConfigRequest,
};
use futures::{Stream, StreamExt as _};
use tonic::Status;

use super::diagnostics;
use super::value::from_wire;
use crate::proto::tfplugin6 as pb;

impl From<pb::validate_state_store_config::Request> for ValidateStateStoreConfigRequest {
    fn from(request: pb::validate_state_store_config::Request) -> Self {
        Self { type_name: request.type_name.into(), config: from_wire(request.config) }
    }
}

impl From<pb::configure_state_store::Request> for ConfigureStateStoreRequest {
    fn from(request: pb::configure_state_store::Request) -> Self {
        Self {
            type_name: request.type_name.into(),
            config: from_wire(request.config),
            chunk_size: request.capabilities.unwrap_or_default().chunk_size,
        }
    }
}

impl From<ConfigureStateStoreResponse> for pb::configure_state_store::Response {
    fn from(response: ConfigureStateStoreResponse) -> Self {
        Self {
            diagnostics: diagnostics(response.diagnostics),
            capabilities: Some(pb::StateStoreServerCapabilities { chunk_size: response.chunk_size }),
        }
    }
}

impl From<pb::read_state_bytes::Request> for ReadStateBytesRequest {
    fn from(request: pb::read_state_bytes::Request) -> Self {
        Self { type_name: request.type_name.into(), state_id: request.state_id }
    }
}

/// One part of a state, or why there is none.
pub(crate) fn read_state_chunk(chunk: Result<StateChunk, Diagnostics>) -> pb::read_state_bytes::ResponseChunk {
    match chunk {
        Ok(chunk) => pb::read_state_bytes::ResponseChunk {
            bytes: chunk.bytes,
            total_length: chunk.total_length,
            range: Some(pb::StateByteRange { start: chunk.start, end: chunk.end }),
            diagnostics: Vec::new(),
        },
        Err(messages) => {
            pb::read_state_bytes::ResponseChunk { diagnostics: diagnostics(messages), ..Default::default() }
        }
    }
}

/// The chunks that a host writes, `first` included. A connection that breaks ends the stream early, which the lengths
/// in the chunks give away.
pub(crate) fn written_chunks(
    first: pb::write_state_bytes::RequestChunk,
    rest: impl Stream<Item = Result<pb::write_state_bytes::RequestChunk, Status>> + Send + 'static,
) -> futures::stream::BoxStream<'static, StateChunk> {
    let rest = rest.take_while(|chunk| std::future::ready(chunk.is_ok())).filter_map(|chunk| async { chunk.ok() });
    futures::stream::iter([first])
        .chain(rest)
        .map(|chunk| {
            let range = chunk.range.unwrap_or_default();
            StateChunk { bytes: chunk.bytes, total_length: chunk.total_length, start: range.start, end: range.end }
        })
        .boxed()
}

impl From<pb::lock_state::Request> for LockStateRequest {
    fn from(request: pb::lock_state::Request) -> Self {
        Self { type_name: request.type_name.into(), state_id: request.state_id, operation: request.operation }
    }
}

impl From<LockStateResponse> for pb::lock_state::Response {
    fn from(response: LockStateResponse) -> Self {
        Self { lock_id: response.lock_id, diagnostics: diagnostics(response.diagnostics) }
    }
}

impl From<pb::unlock_state::Request> for UnlockStateRequest {
    fn from(request: pb::unlock_state::Request) -> Self {
        Self { type_name: request.type_name.into(), state_id: request.state_id, lock_id: request.lock_id }
    }
}

impl From<pb::get_states::Request> for GetStatesRequest {
    fn from(request: pb::get_states::Request) -> Self {
        Self { type_name: request.type_name.into() }
    }
}

impl From<GetStatesResponse> for pb::get_states::Response {
    fn from(response: GetStatesResponse) -> Self {
        Self { state_ids: response.state_ids, diagnostics: diagnostics(response.diagnostics) }
    }
}

impl From<pb::delete_state::Request> for DeleteStateRequest {
    fn from(request: pb::delete_state::Request) -> Self {
        Self { type_name: request.type_name.into(), state_id: request.state_id }
    }
}
