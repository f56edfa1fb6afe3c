//! `tiny_store`: states in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use denobridge_core::provider::StateChunk;
use denobridge_core::{Diagnostic, Diagnostics};
use futures::StreamExt as _;
use futures::stream::{self, BoxStream};

/// Bytes per chunk.
const CHUNK: usize = 4;

/// All states by name.
#[derive(Default)]
pub(super) struct States(Mutex<BTreeMap<String, Bytes>>);

impl States {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Bytes>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names in order.
    pub(super) fn names(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// A state in chunks.
    pub(super) fn read(&self, name: &str) -> BoxStream<'static, Result<StateChunk, Diagnostics>> {
        let Some(state) = self.lock().get(name).cloned() else {
            return stream::iter([Err(Diagnostic::error("No such state", name).into())]).boxed();
        };
        let total = state.len();
        let starts = (0..total).step_by(CHUNK);
        stream::iter(starts.map(move |start| {
            let end = total.min(start + CHUNK);
            Ok(StateChunk {
                bytes: state.slice(start..end),
                total_length: total as i64,
                start: start as i64,
                end: end as i64 - 1,
            })
        }))
        .boxed()
    }

    /// Replaces a state.
    pub(super) async fn write(&self, name: String, chunks: BoxStream<'static, StateChunk>) {
        let parts: Vec<Bytes> = chunks.map(|chunk| chunk.bytes).collect().await;
        self.lock().insert(name, parts.concat().into());
    }
}
