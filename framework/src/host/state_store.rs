//! One state store.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use denobridge_core::call::CallError;
use denobridge_core::cty::{Path, Value};
use denobridge_core::diagnostics::Diagnostics;
use denobridge_core::planning::rules::{Rule, Violation};
use denobridge_core::provider::{
    ConfigureStateStoreRequest, DeleteStateRequest, GetStatesRequest, LockStateRequest, ReadStateBytesRequest,
    StateChunk, UnlockStateRequest, ValidateStateStoreConfigRequest, WriteStateBytesRequest,
};
use futures::{StreamExt as _, TryFutureExt as _, stream};

use super::component::{Component, component_methods};
use super::{Report, Step};

/// The chunk size that Terraform asks for, in bytes.
const WANTED_CHUNK: i64 = 8 << 20;

/// Largest chunk size that Terraform agrees to, in bytes.
const LARGEST_CHUNK: i64 = 128 << 20;

/// One state store of a [`super::Host`], before it has a configuration.
pub struct StateStoreHost<'h> {
    pub(super) component: Component<'h>,
}

/// A state store that has its configuration.
pub struct OpenStateStore<'h> {
    component: Component<'h>,
    chunk_size: usize,
}

/// What came of a stream of chunks.
#[derive(Default)]
struct Joined {
    bytes: BytesMut,
    any: bool,
    diagnostics: Diagnostics,
    violations: Vec<Violation>,
}

impl<'h> StateStoreHost<'h> {
    component_methods!();

    /// Asks the provider whether it accepts a configuration.
    pub async fn validate(&self, config: &Value) -> Step<()> {
        let component = &self.component;
        let request = ValidateStateStoreConfigRequest {
            type_name: Arc::clone(&component.type_name),
            config: config.clone().into(),
        };
        let answer = component.host.provider.validate_state_store_config(&component.call, request);
        component.validated("ValidateStateStoreConfig", config, answer.map_ok(|response| response.diagnostics)).await
    }

    /// Gives it its configuration, in which everything must be known, once the provider has found it valid. None when
    /// anything went wrong.
    pub async fn configure(self, config: &Value) -> Step<Option<OpenStateStore<'h>>> {
        self.configure_with_chunks_of(config, WANTED_CHUNK).await
    }

    /// The same, asking for another chunk size, in bytes. The provider may want another one, which must be a size that
    /// Terraform can agree to (R19).
    pub async fn configure_with_chunks_of(self, config: &Value, chunk_size: i64) -> Step<Option<OpenStateStore<'h>>> {
        let mut report = self.validate(config).await.report;
        let component = self.component;
        report.diagnostics.extend(component.not_known_yet(config));
        if report.failed() {
            return Step { value: None, report };
        }
        let exchange = component
            .exchange("ConfigureStateStore")
            .sent("config", component.marked(config))
            .sent("chunk size", Value::number(chunk_size));
        let request = ConfigureStateStoreRequest {
            type_name: Arc::clone(&component.type_name),
            config: config.clone().into(),
            chunk_size,
        };
        let answer = component.host.provider.configure_state_store(&component.call, request);
        let Some((exchange, response)) = component.ask(exchange, answer, &mut report).await else {
            return Step { value: None, report };
        };
        let agreed = response.chunk_size;
        let mut violations = Vec::new();
        if !response.diagnostics.has_errors() && !(1..=LARGEST_CHUNK).contains(&agreed) {
            violations.push(broken(format!("a chunk size of {agreed} is not between 1 and {LARGEST_CHUNK}")));
        }
        let exchange = exchange.received("chunk size", Value::number(agreed));
        component.answered(exchange, response.diagnostics, violations, &mut report);
        let chunk_size = usize::try_from(agreed).unwrap_or(1);
        let open = (!report.failed()).then_some(OpenStateStore { component, chunk_size });
        Step { value: open, report }
    }
}

impl OpenStateStore<'_> {
    /// The chunk size that was agreed on, in bytes.
    #[must_use]
    pub fn chunk_size(&self) -> usize {
        self.chunk_size
    }

    /// Reads a state, whose chunks must adjoin and be of the agreed size, and of the length that they say (R19). None when
    /// there is no such state, or when anything went wrong.
    pub async fn read(&self, state_id: &str) -> Step<Option<Bytes>> {
        let component = &self.component;
        let mut report = Report::default();
        let exchange = component.exchange("ReadStateBytes").sent("state id", Value::string(state_id));
        let request =
            ReadStateBytesRequest { type_name: Arc::clone(&component.type_name), state_id: state_id.to_owned() };
        let Some((exchange, joined)) = component.ask(exchange, self.joined(request), &mut report).await else {
            return Step { value: None, report };
        };
        component.answered(exchange, joined.diagnostics, joined.violations, &mut report);
        let found = joined.any && !report.failed();
        Step { value: found.then(|| joined.bytes.freeze()), report }
    }

    async fn joined(&self, request: ReadStateBytesRequest) -> Result<Joined, CallError> {
        let component = &self.component;
        let mut chunks = component.host.provider.read_state_bytes(&component.call, request).await?.chunks;
        let (mut joined, mut total) = (Joined::default(), None);
        while let Some(chunk) = chunks.next().await {
            let chunk = match chunk {
                Ok(chunk) => chunk,
                Err(diagnostics) => {
                    joined.diagnostics.extend(diagnostics);
                    continue;
                }
            };
            joined.any = true;
            let expected = *total.get_or_insert(chunk.total_length);
            if let Some(message) = self.misplaced(&chunk, expected, joined.bytes.len()) {
                joined.violations.push(broken(message));
                break;
            }
            joined.bytes.extend_from_slice(&chunk.bytes);
        }
        let complete = total.is_none_or(|total| usize::try_from(total) == Ok(joined.bytes.len()));
        if !complete && !joined.diagnostics.has_errors() && joined.violations.is_empty() {
            let (total, length) = (total.unwrap_or_default(), joined.bytes.len());
            joined.violations.push(broken(format!("the state is to have {total} bytes, but there are {length}")));
        }
        Ok(joined)
    }

    /// What is wrong with a chunk that comes after `read` bytes of a state of `total`.
    fn misplaced(&self, chunk: &StateChunk, total: i64, read: usize) -> Option<String> {
        let (length, size) = (chunk.bytes.len(), self.chunk_size);
        let (start, end) = (as_i64(read), as_i64(read + length) - 1);
        if (chunk.start, chunk.end) != (start, end) {
            return Some(format!(
                "a chunk says that it is bytes {} to {}, but it is bytes {start} to {end}",
                chunk.start, chunk.end
            ));
        }
        if chunk.total_length != total {
            return Some(format!("the length of the state was {total}, and is now {}", chunk.total_length));
        }
        let last = end + 1 >= total;
        if length > size || (length < size && !last) {
            return Some(format!("a chunk has {length} bytes, but {size} were agreed on"));
        }
        None
    }

    /// Writes a state, in chunks as Terraform does.
    pub async fn write(&self, state_id: &str, state: Bytes) -> Step<()> {
        let component = &self.component;
        let mut report = Report::default();
        let exchange = component
            .exchange("WriteStateBytes")
            .sent("state id", Value::string(state_id))
            .sent("length", Value::number(as_i64(state.len())));
        let request = WriteStateBytesRequest {
            type_name: Arc::clone(&component.type_name),
            state_id: state_id.to_owned(),
            chunks: stream::iter(self.cut(&state)).boxed(),
        };
        let answer = component.host.provider.write_state_bytes(&component.call, request);
        component.told(exchange, answer.map_ok(|response| response.diagnostics), &mut report).await;
        Step { value: (), report }
    }

    fn cut(&self, state: &Bytes) -> Vec<StateChunk> {
        let starts = (0..state.len()).step_by(self.chunk_size);
        starts
            .map(|start| {
                let end = (start + self.chunk_size).min(state.len());
                StateChunk {
                    bytes: state.slice(start..end),
                    total_length: as_i64(state.len()),
                    start: as_i64(start),
                    end: as_i64(end) - 1,
                }
            })
            .collect()
    }

    /// Locks a state. The value unlocks it, and must not be empty (R19); none when anything went wrong. `operation` is what
    /// the lock is for.
    pub async fn lock(&self, state_id: &str, operation: &str) -> Step<Option<String>> {
        let component = &self.component;
        let mut report = Report::default();
        let exchange = component.exchange("LockState").sent("state id", Value::string(state_id));
        let request = LockStateRequest {
            type_name: Arc::clone(&component.type_name),
            state_id: state_id.to_owned(),
            operation: operation.to_owned(),
        };
        let answer = component.host.provider.lock_state(&component.call, request);
        let Some((exchange, response)) = component.ask(exchange, answer, &mut report).await else {
            return Step { value: None, report };
        };
        let mut violations = Vec::new();
        if response.lock_id.is_empty() && !response.diagnostics.has_errors() {
            violations.push(broken("the lock has no id".to_owned()));
        }
        component.answered(exchange, response.diagnostics, violations, &mut report);
        Step { value: Some(response.lock_id).filter(|_| !report.failed()), report }
    }

    /// Unlocks a state.
    pub async fn unlock(&self, state_id: &str, lock_id: &str) -> Step<()> {
        let component = &self.component;
        let mut report = Report::default();
        let exchange = component.exchange("UnlockState").sent("state id", Value::string(state_id));
        let request = UnlockStateRequest {
            type_name: Arc::clone(&component.type_name),
            state_id: state_id.to_owned(),
            lock_id: lock_id.to_owned(),
        };
        let answer = component.host.provider.unlock_state(&component.call, request);
        component.told(exchange, answer.map_ok(|response| response.diagnostics), &mut report).await;
        Step { value: (), report }
    }

    /// The names of all states.
    pub async fn states(&self) -> Step<Vec<String>> {
        let component = &self.component;
        let mut report = Report::default();
        let request = GetStatesRequest { type_name: Arc::clone(&component.type_name) };
        let answer = component.host.provider.get_states(&component.call, request);
        let Some((exchange, response)) = component.ask(component.exchange("GetStates"), answer, &mut report).await
        else {
            return Step { value: Vec::new(), report };
        };
        component.answered(exchange, response.diagnostics, Vec::new(), &mut report);
        Step { value: response.state_ids, report }
    }

    /// Deletes a state.
    pub async fn delete(&self, state_id: &str) -> Step<()> {
        let component = &self.component;
        let mut report = Report::default();
        let exchange = component.exchange("DeleteState").sent("state id", Value::string(state_id));
        let request = DeleteStateRequest { type_name: Arc::clone(&component.type_name), state_id: state_id.to_owned() };
        let answer = component.host.provider.delete_state(&component.call, request);
        component.told(exchange, answer.map_ok(|response| response.diagnostics), &mut report).await;
        Step { value: (), report }
    }
}

fn broken(message: String) -> Violation {
    Violation::new(Rule::Protocol, Path::root(), message)
}

/// A length as the protocol has it.
fn as_i64(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}
