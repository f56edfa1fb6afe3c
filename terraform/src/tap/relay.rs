//! The service that the host talks to.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use denobridge_core::Provider;
use denobridge_core::call::LogSink;
use denobridge_core::provider::Layered;
use futures::future::BoxFuture;
use prost::Message as _;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::codegen::Service;

use super::Observer;
use super::body::{self, Request, Response};
use super::passing::with_more;
use super::wired::Wired;
use crate::proto::plugin::Empty;
use crate::proto::{tfplugin5 as pb5, tfplugin6 as pb};
use crate::serve::FAREWELL_LIMIT;

/// Everything behind the one port.
#[derive(Clone)]
pub(super) struct Relay(Arc<Shared>);

struct Shared {
    provider: Wired,
    observed: Option<Observed>,
    ending: CancellationToken,
    closed: OnceCell<()>,
}

/// An observer with its layers around the provider.
pub(super) struct Observed {
    observer: Arc<dyn Observer>,
    pub(super) mounted: Arc<dyn Provider>,
    pub(super) provider: Wired,
    pub(super) log: Arc<dyn LogSink>,
}

impl Relay {
    pub(super) fn new(
        provider: Wired,
        observer: Option<Arc<dyn Observer>>,
        log: Arc<dyn LogSink>,
        ending: CancellationToken,
    ) -> Self {
        let observed = observer.map(|observer| {
            let mounted = observer.mount(Arc::new(Layered(provider.clone())));
            Observed { observer, mounted, provider: provider.clone(), log }
        });
        Self(Arc::new(Shared { provider, observed, ending, closed: OnceCell::new() }))
    }

    /// Lets the observer finish, and ends the provider. Once, whoever asks for it.
    pub(super) async fn close(&self) {
        let close = async {
            if let Some(observed) = &self.0.observed {
                // What it has not finished by then, it cannot tell anybody.
                let _ = tokio::time::timeout(FAREWELL_LIMIT, observed.observer.finish()).await;
            }
            self.0.provider.foreign().shutdown().await;
        };
        self.0.closed.get_or_init(|| close).await;
    }

    async fn answer(&self, request: Request) -> Response {
        let path = request.uri().path().to_owned();
        let (service, procedure) = path.trim_start_matches('/').split_once('/').unwrap_or_default();
        let is_provider = matches!(service, "tfplugin5.Provider" | "tfplugin6.Provider");
        match (&self.0.observed, procedure) {
            (_, "Shutdown") if service == "plugin.GRPCController" => {
                self.close().await;
                self.0.ending.cancel();
                body::own_answer(&Empty {})
            }
            (Some(observed), procedure) if is_provider => {
                observed.pass(procedure, request).await.unwrap_or_else(Status::into_http)
            }
            _ => body::pass_all(self.0.provider.channel(), request).await,
        }
    }
}

impl Observed {
    /// The answer to a procedure of the provider.
    async fn pass(&self, procedure: &str, request: Request) -> Result<Response, Status> {
        match procedure {
            procedure if Self::is_asked_about(procedure) => self.answer(procedure, request).await,
            "GetProviderSchema" | "GetSchema" | "GetMetadata" | "GetResourceIdentitySchemas" => {
                self.overhear(procedure, request).await
            }
            _ => {
                if matches!(procedure, "StopProvider" | "Stop") {
                    self.observer.stopping().await;
                }
                Ok(body::pass_all(self.provider.channel(), request).await)
            }
        }
    }

    /// Passes a question about the schema on, and keeps the answer for layers that want to know.
    async fn overhear(&self, procedure: &str, request: Request) -> Result<Response, Status> {
        let (head, answered) = body::pass(self.provider.channel(), request).await?.into_parts();
        let received = body::receive(&head.headers, answered).await?;
        let Some(Ok(message)) = received.message else {
            return Ok(body::answer(head, received.bytes, received.trailers));
        };
        let more = match procedure {
            "GetResourceIdentitySchemas" => Bytes::new(),
            _ => self.capabilities(procedure),
        };
        let answer = match more.as_ref() {
            [] => body::answer(head, received.bytes, received.trailers),
            more => with_more(head, &message, more, received.trailers),
        };
        let overheard = self.provider.foreign().overheard();
        match procedure {
            "GetResourceIdentitySchemas" => overheard.put_identities(message),
            "GetMetadata" => {}
            _ => overheard.put_schema(message),
        }
        Ok(answer)
    }

    /// What is added to what the provider can do.
    fn capabilities(&self, procedure: &str) -> Bytes {
        if !self.observer.wants_plans_of_deletions() {
            return Bytes::new();
        }
        let server_capabilities = Some(pb::ServerCapabilities { plan_destroy: true, ..Default::default() });
        let is_6 = self.provider.foreign().protocol() == 6;
        let message = match (procedure, is_6) {
            ("GetMetadata", true) => {
                pb::get_metadata::Response { server_capabilities, ..Default::default() }.encode_to_vec()
            }
            ("GetMetadata", false) => {
                pb5::get_metadata::Response { server_capabilities, ..Default::default() }.encode_to_vec()
            }
            (_, true) => {
                pb::get_provider_schema::Response { server_capabilities, ..Default::default() }.encode_to_vec()
            }
            (_, false) => {
                pb5::get_provider_schema::Response { server_capabilities, ..Default::default() }.encode_to_vec()
            }
        };
        message.into()
    }
}

impl Service<Request> for Relay {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // Each call waits for the provider by itself.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let relay = self.clone();
        Box::pin(async move { Ok(relay.answer(request).await) })
    }
}
