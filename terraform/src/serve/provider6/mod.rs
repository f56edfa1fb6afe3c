//! The provider behind the gRPC services: finds the component that a request is about, asks the provider, and makes sure
//! that whatever happens becomes an answer. `provider5` answers for the older protocol through this.

mod rpc;
mod streams;

use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use denobridge_core::call::LogSink;
use denobridge_core::provider::{GetProviderSchemaRequest, GetProviderSchemaResponse};
use denobridge_core::{Call, CallError, Diagnostic, Diagnostics, Provider};
use tokio::sync::OnceCell;
use tokio_util::sync::{CancellationToken, DropGuard};
use tokio_util::task::TaskTracker;

use super::log::LoggedProgress;
use super::panic;
use crate::proto::{tfplugin5 as pb5, tfplugin6 as pb6};
use crate::wire5;
use crate::wire6::{self, Component, ComponentKind, Components};

/// How long calls that the end of the plugin cancelled get to clean up.
const CLEAN_UP_LIMIT: Duration = Duration::from_millis(300);

/// Whether the provider may be configured again: a host that starts a plugin configures it once, while in debug mode one
/// process serves many runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rerun {
    Allowed,
    Refused,
}

/// The gRPC service's state.
pub(super) struct ProviderService {
    provider: Arc<dyn Provider>,
    log: Arc<dyn LogSink>,
    rerun: Rerun,
    configured: AtomicBool,
    /// The schema, once the provider gave one without errors.
    schema: OnceCell<Arc<GetProviderSchemaResponse>>,
    /// The schema as each protocol sends it, made once: with hundreds of resource types that is most of the work.
    wire_schema6: OnceLock<pb6::get_provider_schema::Response>,
    wire_schema5: OnceLock<pb5::get_provider_schema::Response>,
    components: Components,
    /// Parent of the cancellation of every running call. Replaced when the host stops the provider, which goes on serving.
    running: Mutex<CancellationToken>,
    tasks: TaskTracker,
}

/// Why a call has no answer.
enum Failure {
    Call(CallError),
    Panic(String),
}

impl Failure {
    fn is_unimplemented(&self) -> bool {
        matches!(self, Self::Call(CallError::Unimplemented { .. }))
    }
}

/// A provider need not check configuration at all.
fn without_objections<R: Default>(checked: Result<R, Failure>) -> Result<R, Failure> {
    match checked {
        Err(failure) if failure.is_unimplemented() => Ok(R::default()),
        checked => checked,
    }
}

impl From<Failure> for Diagnostics {
    /// Hosts show a broken call as a fault of the plugin's wiring, without what the provider said; diagnostics say it.
    fn from(failure: Failure) -> Self {
        let (summary, detail) = match failure {
            Failure::Call(error) => {
                let summary = match &error {
                    CallError::Unimplemented { .. } => "Not supported by this provider",
                    CallError::Cancelled => "Operation cancelled",
                    CallError::DeadlineExceeded { .. } => "Time limit exceeded",
                    CallError::Unavailable { .. } => "Provider not available",
                    CallError::Internal { .. } => "Internal error of the provider",
                };
                (summary, error.to_string())
            }
            Failure::Panic(message) => (
                "The provider panicked",
                format!("This is a bug in the provider; please report it to its developers. It said: {message}"),
            ),
        };
        Diagnostic::error(summary, detail).into()
    }
}

impl ProviderService {
    pub(super) fn new(provider: Arc<dyn Provider>, log: Arc<dyn LogSink>, rerun: Rerun) -> Self {
        Self {
            provider,
            log,
            rerun,
            configured: AtomicBool::new(false),
            schema: OnceCell::new(),
            wire_schema6: OnceLock::new(),
            wire_schema5: OnceLock::new(),
            components: Components::default(),
            running: Mutex::new(CancellationToken::new()),
            tasks: TaskTracker::new(),
        }
    }

    /// Cancels what still runs and gives it a moment to clean up.
    pub(super) async fn end(&self) {
        self.cancel_running();
        self.tasks.close();
        let _ = tokio::time::timeout(CLEAN_UP_LIMIT, self.tasks.wait()).await;
    }

    /// Asks the provider and waits for its response.
    async fn ask<R, F>(&self, ask: impl FnOnce(Arc<dyn Provider>, Call) -> F) -> Result<R, Failure>
    where
        R: Send + 'static,
        F: Future<Output = Result<R, CallError>> + Send + 'static,
    {
        let (response, guard) = self.ask_for_stream(ask).await?;
        guard.disarm();
        Ok(response)
    }

    /// Asks the provider for a response that goes on after it arrived: the call is cancelled when the guard is dropped.
    ///
    /// The call runs in a task of its own. A panic ends that task only, and a host that gives up leaves the provider time
    /// to notice the cancellation instead of dropping its work half-way.
    async fn ask_for_stream<R, F>(
        &self,
        ask: impl FnOnce(Arc<dyn Provider>, Call) -> F,
    ) -> Result<(R, DropGuard), Failure>
    where
        R: Send + 'static,
        F: Future<Output = Result<R, CallError>> + Send + 'static,
    {
        let cancellation = self.running.lock().unwrap_or_else(PoisonError::into_inner).child_token();
        let progress = Arc::new(LoggedProgress(Arc::clone(&self.log)));
        let call = Call::new().with_cancellation(cancellation.clone());
        let call = call.with_log(Arc::clone(&self.log)).with_progress(progress);
        let guard = cancellation.drop_guard();
        match self.tasks.spawn(panic::answering(ask(Arc::clone(&self.provider), call))).await {
            Ok(response) => response.map(|response| (response, guard)).map_err(Failure::Call),
            Err(error) if error.is_panic() => Err(Failure::Panic(panic::message(&*error.into_panic()).to_owned())),
            // Only the end of the runtime takes a task away.
            Err(_) => Err(Failure::Call(CallError::Cancelled)),
        }
    }

    /// Cancels every running call; calls that start later are not affected.
    fn cancel_running(&self) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *running).cancel();
    }

    /// The schema, asked for once. A schema with errors is handed out, but asked for again.
    async fn schema(&self) -> Result<Arc<GetProviderSchemaResponse>, Failure> {
        if let Some(known) = self.schema.get() {
            return Ok(Arc::clone(known));
        }
        let request = GetProviderSchemaRequest::default();
        let asked =
            self.ask(|provider, call| async move { provider.get_provider_schema(&call, request).await }).await?;
        let asked = Arc::new(asked);
        if !asked.diagnostics.has_errors() {
            // Two requests may have asked at once; either answer will do.
            let _ = self.schema.set(Arc::clone(&asked));
        }
        Ok(asked)
    }

    /// The schema as protocol 6 sends it.
    async fn protocol_6_schema(&self) -> pb6::get_provider_schema::Response {
        match self.schema().await {
            // What is handed out once only is not worth keeping.
            Ok(asked) if asked.diagnostics.has_errors() => wire6::provider_schema(&asked),
            Ok(asked) => self.wire_schema6.get_or_init(|| wire6::provider_schema(&asked)).clone(),
            Err(failure) => pb6::get_provider_schema::Response {
                diagnostics: wire6::diagnostics(failure.into()),
                ..Default::default()
            },
        }
    }

    /// The schema as protocol 5 sends it; it says so where it does not fit.
    pub(super) async fn protocol_5_schema(&self) -> pb5::get_provider_schema::Response {
        if let Some(known) = self.wire_schema5.get() {
            return known.clone();
        }
        let schema = self.protocol_6_schema().await;
        let complete = schema.diagnostics.iter().all(|said| said.severity() != pb6::diagnostic::Severity::Error);
        let narrowed = wire5::provider_schema(schema);
        // What does not fit will not fit the next time either; what the provider could not say it may say then.
        if complete { self.wire_schema5.get_or_init(|| narrowed).clone() } else { narrowed }
    }

    /// The component that a request is about.
    async fn component(&self, kind: ComponentKind, type_name: &str) -> Result<Arc<Component>, Diagnostics> {
        if type_name.is_empty() {
            let detail = format!("The request names no {}.", kind.noun().to_lowercase());
            return Err(Diagnostic::error("Invalid request", detail).into());
        }
        let answered = self.schema().await?;
        self.components.find(&answered.schema, kind, type_name).ok_or_else(|| {
            let mut messages = Diagnostics::from(Diagnostic::error(
                format!("{} not found", kind.noun()),
                format!("This provider has no {} {type_name:?}.", kind.noun().to_lowercase()),
            ));
            // If the schema is incomplete, the reason for it is the reason for this.
            messages.extend(answered.diagnostics.errors().cloned());
            messages
        })
    }

    /// Notes that the provider is being configured.
    fn begin_configuration(&self) -> Result<(), Diagnostics> {
        let again = self.configured.swap(true, Ordering::Relaxed);
        if again && self.rerun == Rerun::Refused {
            let detail = "A plugin process is configured once. This is a bug in the program that started it.";
            return Err(Diagnostic::error("Provider already configured", detail).into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use denobridge_core::cty::Type;
    use denobridge_core::schema::{Attribute, Block, ProviderSchema, Schema};
    use tonic::async_trait;

    use super::super::log::HostLog;
    use super::*;

    /// Offers many resource types, after a first answer that is an error.
    #[derive(Default)]
    struct Many {
        asked: AtomicUsize,
    }

    #[async_trait]
    impl Provider for Many {
        async fn get_provider_schema(
            &self,
            _: &Call,
            _: GetProviderSchemaRequest,
        ) -> Result<GetProviderSchemaResponse, CallError> {
            if self.asked.fetch_add(1, Ordering::Relaxed) == 0 {
                let diagnostics = Diagnostic::error("Not yet", "").into();
                return Ok(GetProviderSchemaResponse { diagnostics, ..GetProviderSchemaResponse::default() });
            }
            let attributes = vec![Attribute::new("name", Type::String)];
            let schema = Schema { version: 0, block: Block { attributes, ..Block::default() } };
            let resources = (0..500).map(|number| (Arc::from(format!("many_{number}")), schema.clone())).collect();
            let schema = Arc::new(ProviderSchema { resources, ..ProviderSchema::default() });
            Ok(GetProviderSchemaResponse { schema, ..GetProviderSchemaResponse::default() })
        }
    }

    /// F6: the schema of 500 resource types is asked for and converted once. Bytes of a message are shared by its copies,
    /// while a second conversion would have made new ones.
    #[tokio::test]
    async fn f6_the_schema_is_converted_once_for_each_protocol() {
        let provider = Arc::new(Many::default());
        let log = Arc::new(HostLog::from_environment("many", None, |_| None));
        let service = ProviderService::new(Arc::clone(&provider) as Arc<dyn Provider>, log, Rerun::Refused);
        assert_eq!(service.protocol_5_schema().await.diagnostics[0].summary, "Not yet");

        let of_6 = |schema: pb6::get_provider_schema::Response| {
            assert_eq!((schema.resource_schemas.len(), schema.diagnostics.len()), (500, 0));
            schema.resource_schemas["many_7"].block.as_ref().unwrap().attributes[0].r#type.clone().as_ptr()
        };
        assert_eq!(of_6(service.protocol_6_schema().await), of_6(service.protocol_6_schema().await));
        let of_5 = |schema: pb5::get_provider_schema::Response| {
            assert_eq!((schema.resource_schemas.len(), schema.diagnostics.len()), (500, 0));
            schema.resource_schemas["many_7"].block.as_ref().unwrap().attributes[0].r#type.clone().as_ptr()
        };
        assert_eq!(of_5(service.protocol_5_schema().await), of_6(service.protocol_6_schema().await));
        assert!(service.wire_schema5.get().is_some());
        assert_eq!(provider.asked.load(Ordering::Relaxed), 2);
    }
}
