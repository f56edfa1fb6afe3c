//! A provider that somebody else wrote, as the seam's [`Provider`](denobridge_core::Provider): every method becomes one call
//! of protocol 5 or 6.
//!
//! Behind this module nothing knows which protocol it is. Values are encoded by the provider's own schema, which is asked for
//! once; answers stay encoded until somebody reads them.

mod calls;
mod overheard;
mod procedures;
mod transport;

use std::sync::Arc;
use std::time::Duration;

use denobridge_core::cty::Type;
use denobridge_core::provider::{GetProviderSchemaResponse, StopProviderResponse};
use denobridge_core::schema::ProviderSchema;
use denobridge_core::{Call, CallError};
use tokio::sync::OnceCell;
use tonic::transport::Channel;

use crate::launch::Process;
use crate::proto::tfplugin6 as pb;
use crate::wire6::host::{self, Types};
use crate::wire6::{Component, ComponentKind, Components};
pub(crate) use overheard::Overheard;
pub(crate) use transport::Transport;

/// How long a provider may go on after it was asked to stop, if nothing else is said.
pub const DEFAULT_STOP_GRACE: Duration = Duration::from_secs(120);

/// A provider in another process.
pub struct ForeignProvider {
    /// What people call it, for messages: `hashicorp/random 3.6.3`.
    name: String,
    transport: Transport,
    /// The process, when we started it. A provider that we were told about belongs to somebody else.
    process: Option<Process>,
    stop_grace: Duration,
    schema: OnceCell<Arc<Loaded>>,
    /// What it has told somebody else of its schema.
    overheard: Arc<Overheard>,
    stopped: OnceCell<()>,
}

/// The schema with what is made of it.
struct Loaded {
    answer: GetProviderSchemaResponse,
    components: Components,
    provider: Type,
    meta: Option<Type>,
}

impl Loaded {
    fn new(answer: GetProviderSchemaResponse) -> Self {
        Self {
            components: Components::default(),
            provider: answer.schema.provider.implied_type(),
            meta: answer.schema.provider_meta.as_ref().map(|schema| schema.implied_type()),
            answer,
        }
    }

    fn schema(&self) -> &ProviderSchema {
        &self.answer.schema
    }
}

impl ForeignProvider {
    pub(crate) fn new(
        name: String,
        protocol: u32,
        channel: Channel,
        process: Option<Process>,
        stop_grace: Duration,
    ) -> Self {
        let transport = Transport::new(protocol, channel);
        let (schema, overheard, stopped) = (OnceCell::new(), Arc::default(), OnceCell::new());
        Self { name, transport, process, stop_grace, schema, overheard, stopped }
    }

    /// What is put here of its schema is not asked for any more.
    pub(crate) fn overheard(&self) -> &Arc<Overheard> {
        &self.overheard
    }

    /// Which protocol it speaks: 5 or 6.
    #[must_use]
    pub fn protocol(&self) -> u32 {
        self.transport.protocol()
    }

    /// The number of its process, when we started it.
    #[must_use]
    pub fn process_id(&self) -> Option<u32> {
        self.process.as_ref().map(Process::id)
    }

    /// Ends it: asked first, killed when it takes longer than it should. One that we did not start goes on.
    pub async fn shutdown(&self) {
        if let Some(process) = &self.process {
            process.end().await;
        }
    }

    /// The schema. One with errors is handed out, but asked for again the next time.
    async fn loaded(&self, call: &Call) -> Result<Arc<Loaded>, CallError> {
        if let Some(known) = self.schema.get() {
            return Ok(Arc::clone(known));
        }
        let loaded = Arc::new(Loaded::new(self.ask_for_schema(call).await?));
        if !loaded.answer.diagnostics.has_errors() {
            // Two calls may have asked at once; either answer will do.
            let _ = self.schema.set(Arc::clone(&loaded));
        }
        Ok(loaded)
    }

    async fn ask_for_schema(&self, call: &Call) -> Result<GetProviderSchemaResponse, CallError> {
        let response = match self.overheard.schema(self.protocol()) {
            Some(response) => response,
            None => self.ask(call, "GetProviderSchema", self.transport.get_provider_schema()).await?,
        };
        // Identities came with protocol 6.9; older providers do not know the question.
        let question = self.transport.get_resource_identity_schemas(pb::get_resource_identity_schemas::Request {});
        let asked = match self.overheard.identities() {
            Some(answer) => Ok(answer),
            None => self.ask(call, "GetResourceIdentitySchemas", question).await,
        };
        let (identities, messages) = match asked {
            Ok(answer) => (answer.identity_schemas, answer.diagnostics),
            Err(CallError::Unimplemented { .. }) => Default::default(),
            Err(error) => return Err(error),
        };
        let mut answer = host::provider_schema(response, identities);
        answer.diagnostics.extend(host::diagnostics(messages));
        Ok(answer)
    }

    /// The types of what is said about one component.
    pub(crate) async fn types(&self, call: &Call, kind: ComponentKind, type_name: &str) -> Result<Types, CallError> {
        let loaded = self.loaded(call).await?;
        let component = self.component(&loaded, kind, type_name)?;
        Ok(Types { component, meta: loaded.meta.clone() })
    }

    fn component(&self, loaded: &Loaded, kind: ComponentKind, type_name: &str) -> Result<Arc<Component>, CallError> {
        loaded.components.find(loaded.schema(), kind, type_name).ok_or_else(|| {
            // If the schema is incomplete, the reason for it is the reason for this.
            let reasons =
                loaded.answer.diagnostics.errors().map(|error| format!(" {}: {}", error.summary, error.detail));
            CallError::Internal {
                message: format!(
                    "{} has no {} {type_name:?}.{}",
                    self.name,
                    kind.noun().to_lowercase(),
                    reasons.collect::<String>()
                ),
            }
        })
    }

    /// Asks the provider to end what it does, once: the Go SDKs take it for all that is still to come, too.
    async fn stop(&self) -> Result<StopProviderResponse, CallError> {
        let mut answer = Ok(StopProviderResponse::default());
        self.stopped
            .get_or_init(async || {
                let asked = self.transport.stop_provider(pb::stop_provider::Request {}).await;
                answer = asked.map(Into::into).map_err(|status| self.without_process("StopProvider", &status));
            })
            .await;
        answer
    }
}
