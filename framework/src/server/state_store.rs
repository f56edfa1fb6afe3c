//! The procedures of state stores. Stores see whole states; here they are cut into chunks and joined from them.

use std::sync::{Arc, PoisonError};

use bytes::{Bytes, BytesMut};
use denobridge_core::limits::MAX_MESSAGE_BYTES;
use denobridge_core::provider::*;
use denobridge_core::{Call, Diagnostic, Diagnostics};
use futures::stream::{self, BoxStream, StreamExt};

use super::catalog::Entry;
use super::{Server, decode};
use crate::context::Context;
use crate::erased::ErasedStateStore;
use crate::guard::Operation;
use crate::mask::Secrets;

const KIND: &str = "state store";

/// The chunk size, in bytes, where the asker wants none in particular. Terraform's own default.
const DEFAULT_CHUNK: usize = 8 << 20;

/// Largest state that is taken, in bytes.
const MAX_STATE: usize = MAX_MESSAGE_BYTES;

type Store = Entry<dyn ErasedStateStore>;

fn store<'s>(server: &'s Server, type_name: &str) -> Result<&'s Store, Diagnostic> {
    let entry = server.find(&server.catalog().state_stores, KIND, type_name)?;
    server.ready(type_name, entry.capability.as_ref())?;
    Ok(entry)
}

fn context(server: &Server, entry: &Store, call: Call, type_name: &Arc<str>) -> Context {
    server.context(call, type_name).with_capability(entry.capability.clone())
}

/// The secrets of the store's configuration, which go with every later request.
fn secrets(server: &Server, type_name: &str) -> Secrets {
    let stores = server.0.stores.lock().unwrap_or_else(PoisonError::into_inner);
    stores.get(type_name).map(|settings| settings.secrets.clone()).unwrap_or_default()
}

fn said(server: &Server, operation: Operation<'_>, diagnostics: Diagnostics) -> Diagnostics {
    server.said(operation, &secrets(server, operation.component), diagnostics)
}

pub(super) async fn validate(
    server: &Server,
    call: &Call,
    request: ValidateStateStoreConfigRequest,
) -> ValidateStateStoreConfigResponse {
    let type_name = &request.type_name;
    let diagnostics = async {
        let entry = server.find(&server.catalog().state_stores, KIND, type_name)?;
        let config = decode(&request.config, &entry.ty, "configuration", type_name)?;
        let validate =
            |call| async { entry.component.validate(&context(server, entry, call, type_name), &config).await };
        Ok::<_, Diagnostic>(server.checked(call, type_name, &entry.schema.block, &config, validate).await)
    };
    ValidateStateStoreConfigResponse { diagnostics: diagnostics.await.unwrap_or_else(Into::into) }
}

pub(super) async fn configure(
    server: &Server,
    call: &Call,
    request: ConfigureStateStoreRequest,
) -> ConfigureStateStoreResponse {
    let type_name = &request.type_name;
    let operation = Operation { name: "configuration", component: type_name };
    let wanted = usize::try_from(request.chunk_size).ok().filter(|size| *size > 0).unwrap_or(DEFAULT_CHUNK);
    let chunk_size = wanted.min(MAX_STATE);
    let configured = async {
        let entry = store(server, type_name)?;
        let config = decode(&request.config, &entry.ty, "configuration", type_name)?;
        let secrets = Secrets::of(&entry.schema.block, &config);
        let handler =
            |call| async { entry.component.configure(&context(server, entry, call, type_name), config).await };
        let diagnostics = server.run(call, operation, &secrets, handler).await.unwrap_or_else(Into::into);
        let diagnostics = server.said(operation, &secrets, diagnostics);
        let mut stores = server.0.stores.lock().unwrap_or_else(PoisonError::into_inner);
        let settings = stores.entry(Arc::clone(type_name)).or_default();
        if !diagnostics.has_errors() {
            settings.chunk_size = Some(chunk_size);
        }
        // Also what was refused may be remembered by the store, and be in what it says later.
        settings.secrets.extend(&secrets);
        Ok::<_, Diagnostic>(diagnostics)
    };
    let diagnostics = configured.await.unwrap_or_else(Into::into);
    ConfigureStateStoreResponse { diagnostics, chunk_size: i64::try_from(chunk_size).unwrap_or(i64::MAX) }
}

pub(super) async fn read(server: &Server, call: &Call, request: ReadStateBytesRequest) -> ReadStateBytesResponse {
    let type_name = &request.type_name;
    let operation = Operation { name: "reading of a state", component: type_name };
    let state = async {
        let entry = store(server, type_name)?;
        let handler =
            |call| async { entry.component.read(&context(server, entry, call, type_name), &request.state_id).await };
        server.run(call, operation, &secrets(server, type_name), handler).await?
    };
    let chunks: BoxStream<'static, _> = match state.await {
        Ok(state) => {
            let stores = server.0.stores.lock().unwrap_or_else(PoisonError::into_inner);
            let size = stores.get(type_name).and_then(|settings| settings.chunk_size).unwrap_or(DEFAULT_CHUNK);
            stream::iter(cut(state.unwrap_or_default(), size).map(Ok)).boxed()
        }
        Err(diagnostics) => stream::iter([Err(said(server, operation, diagnostics))]).boxed(),
    };
    ReadStateBytesResponse { chunks }
}

/// The chunks of a state; none of an empty one.
fn cut(state: Bytes, size: usize) -> impl Iterator<Item = StateChunk> {
    let offset = |at: usize| i64::try_from(at).unwrap_or(i64::MAX);
    (0..state.len()).step_by(size.max(1)).map(move |start| {
        let end = state.len().min(start + size);
        StateChunk {
            bytes: state.slice(start..end),
            total_length: offset(state.len()),
            start: offset(start),
            end: offset(end - 1),
        }
    })
}

pub(super) async fn write(server: &Server, call: &Call, request: WriteStateBytesRequest) -> WriteStateBytesResponse {
    let WriteStateBytesRequest { type_name, state_id, chunks } = request;
    let type_name = &type_name;
    let operation = Operation { name: "writing of a state", component: type_name };
    let written = async {
        let entry = store(server, type_name)?;
        let state = joined(chunks).await.map_err(|reason| Diagnostic::error(operation.failed(), reason))?;
        let handler =
            |call| async { entry.component.write(&context(server, entry, call, type_name), &state_id, state).await };
        server.run(call, operation, &secrets(server, type_name), handler).await
    };
    let diagnostics = written.await.unwrap_or_else(Into::into);
    WriteStateBytesResponse { diagnostics: said(server, operation, diagnostics) }
}

/// The whole of which these are the parts. Part of a state must never be kept as if it were all of it.
async fn joined(mut chunks: BoxStream<'static, StateChunk>) -> Result<Bytes, String> {
    let mut state = BytesMut::new();
    let mut total = 0;
    while let Some(chunk) = chunks.next().await {
        total = usize::try_from(chunk.total_length).map_err(|_| "The length of the state is negative.".to_owned())?;
        if total > MAX_STATE {
            return Err(format!("The state has {total} bytes; no more than {MAX_STATE} are taken."));
        }
        if usize::try_from(chunk.start) != Ok(state.len()) {
            return Err(format!("A part of the state begins at byte {}, but {} was due.", chunk.start, state.len()));
        }
        if state.len() + chunk.bytes.len() > total {
            return Err(format!("There are more bytes than the {total} that were announced."));
        }
        state.extend_from_slice(&chunk.bytes);
    }
    if state.len() != total {
        return Err(format!("Only {} of {total} bytes came; nothing was changed.", state.len()));
    }
    Ok(state.freeze())
}

pub(super) async fn lock(server: &Server, call: &Call, request: LockStateRequest) -> LockStateResponse {
    let type_name = &request.type_name;
    let operation = Operation { name: "locking of a state", component: type_name };
    let locked = async {
        let entry = store(server, type_name)?;
        let handler = |call| async {
            let context = context(server, entry, call, type_name);
            entry.component.lock(&context, &request.state_id, &request.operation).await
        };
        server.run(call, operation, &secrets(server, type_name), handler).await?
    };
    match locked.await {
        Ok(lock_id) if lock_id.is_empty() => {
            LockStateResponse { lock_id, diagnostics: operation.error("It returned no lock id.").into() }
        }
        Ok(lock_id) => LockStateResponse { lock_id, diagnostics: Diagnostics::new() },
        Err(diagnostics) => {
            LockStateResponse { lock_id: String::new(), diagnostics: said(server, operation, diagnostics) }
        }
    }
}

pub(super) async fn unlock(server: &Server, call: &Call, request: UnlockStateRequest) -> UnlockStateResponse {
    let type_name = &request.type_name;
    let operation = Operation { name: "unlocking of a state", component: type_name };
    let unlocked = async {
        let entry = store(server, type_name)?;
        let handler = |call| async {
            let context = context(server, entry, call, type_name);
            entry.component.unlock(&context, &request.state_id, &request.lock_id).await
        };
        server.run(call, operation, &secrets(server, type_name), handler).await
    };
    UnlockStateResponse { diagnostics: said(server, operation, unlocked.await.unwrap_or_else(Into::into)) }
}

pub(super) async fn list(server: &Server, call: &Call, request: GetStatesRequest) -> GetStatesResponse {
    let type_name = &request.type_name;
    let operation = Operation { name: "listing of states", component: type_name };
    let listed = async {
        let entry = store(server, type_name)?;
        let handler = |call| async { entry.component.list(&context(server, entry, call, type_name)).await };
        server.run(call, operation, &secrets(server, type_name), handler).await?
    };
    match listed.await {
        Ok(state_ids) => GetStatesResponse { state_ids, diagnostics: Diagnostics::new() },
        Err(diagnostics) => {
            GetStatesResponse { state_ids: Vec::new(), diagnostics: said(server, operation, diagnostics) }
        }
    }
}

pub(super) async fn delete(server: &Server, call: &Call, request: DeleteStateRequest) -> DeleteStateResponse {
    let type_name = &request.type_name;
    let operation = Operation { name: "deletion of a state", component: type_name };
    let deleted = async {
        let entry = store(server, type_name)?;
        let handler =
            |call| async { entry.component.delete(&context(server, entry, call, type_name), &request.state_id).await };
        server.run(call, operation, &secrets(server, type_name), handler).await
    };
    DeleteStateResponse { diagnostics: said(server, operation, deleted.await.unwrap_or_else(Into::into)) }
}
