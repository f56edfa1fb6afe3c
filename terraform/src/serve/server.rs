//! The gRPC server: accepts connections, under TLS where the host wants it, and hands requests to their service.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures::future::BoxFuture;
use tokio::sync::mpsc;
use tokio_rustls::TlsAcceptor;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::server::NamedService;
use tonic::transport::Server;
use tonic::{Code, Status};

use denobridge_core::limits::MAX_MESSAGE_BYTES;

use super::companions::Companions;
use super::connection::{Connection, OpenConnections};
use super::ending::DRAIN_LIMIT;
use super::provider6::ProviderService;
use super::socket::Listener;
use super::{ServeError, Served, Statuses, WireStatus};
use crate::proto::health::health_server::HealthServer;
use crate::proto::plugin::grpc_broker_server::GrpcBrokerServer;
use crate::proto::plugin::grpc_controller_server::GrpcControllerServer;
use crate::proto::plugin::grpc_stdio_server::GrpcStdioServer;
use crate::proto::tfplugin5::provider_server::ProviderServer as ProviderServer5;
use crate::proto::tfplugin6::provider_server::ProviderServer as ProviderServer6;

/// Longest time that a client gets for its side of the TLS handshake.
const TLS_HANDSHAKE_LIMIT: Duration = Duration::from_secs(10);

/// Connections that may wait to be taken over by the server.
const ACCEPT_QUEUE: usize = 16;

/// All services behind one port.
#[derive(Clone)]
pub(super) struct Services {
    /// Which of the two provider services answers.
    protocol: u32,
    /// What is refused rather than answered.
    statuses: Option<Statuses>,
    provider5: ProviderServer5<ProviderService>,
    provider6: ProviderServer6<ProviderService>,
    health: HealthServer<Companions>,
    controller: GrpcControllerServer<Companions>,
    stdio: GrpcStdioServer<Companions>,
    broker: GrpcBrokerServer<Companions>,
}

impl Services {
    /// The provider under one protocol version, with what hosts expect beside it.
    pub(super) fn new(provider: Arc<ProviderService>, served: Served, ending: CancellationToken) -> Self {
        let companions = Companions { ending, farewell: served.farewell };
        Self {
            protocol: served.protocol,
            statuses: served.statuses,
            provider5: ProviderServer5::from_arc(Arc::clone(&provider))
                .max_decoding_message_size(MAX_MESSAGE_BYTES)
                .max_encoding_message_size(MAX_MESSAGE_BYTES),
            provider6: ProviderServer6::from_arc(provider)
                .max_decoding_message_size(MAX_MESSAGE_BYTES)
                .max_encoding_message_size(MAX_MESSAGE_BYTES),
            health: HealthServer::new(companions.clone()),
            controller: GrpcControllerServer::new(companions.clone()),
            stdio: GrpcStdioServer::new(companions.clone()),
            broker: GrpcBrokerServer::new(companions),
        }
    }

    /// The status to answer a path with, if its procedure is refused.
    fn refused(&self, path: &str) -> Option<Status> {
        let procedure = path.rsplit('/').next().unwrap_or_default();
        let WireStatus { code, message } = self.statuses.as_ref()?(procedure)?;
        Some(Status::new(Code::from_i32(code), message))
    }
}

impl Service<http::Request<Body>> for Services {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // Generated services are always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        /// The service in a path of the form `/package.Service/Method`.
        fn service(path: &str) -> &str {
            path.strip_prefix('/').and_then(|path| path.split_once('/')).map_or("", |(service, _)| service)
        }
        if let Some(status) = self.refused(request.uri().path()) {
            return Box::pin(async { Ok(status.into_http()) });
        }
        match service(request.uri().path()) {
            ProviderServer5::<ProviderService>::NAME if self.protocol == 5 => self.provider5.call(request),
            ProviderServer6::<ProviderService>::NAME if self.protocol == 6 => self.provider6.call(request),
            HealthServer::<Companions>::NAME => self.health.call(request),
            GrpcControllerServer::<Companions>::NAME => self.controller.call(request),
            GrpcStdioServer::<Companions>::NAME => self.stdio.call(request),
            GrpcBrokerServer::<Companions>::NAME => self.broker.call(request),
            _ => Box::pin(async { Ok(Status::unimplemented("unknown service").into_http()) }),
        }
    }
}

/// Serves until `ending`, then lets calls and connections finish for a limited time.
///
/// # Errors
/// The server broke down.
pub(super) async fn run<S>(
    listener: Listener,
    acceptor: Option<TlsAcceptor>,
    services: S,
    ending: CancellationToken,
    connections: OpenConnections,
) -> Result<(), ServeError>
where
    S: Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible> + Clone + Send + 'static,
    S::Future: Send,
{
    let (queue, accepted) = mpsc::channel(ACCEPT_QUEUE);
    let accepting = accept_until(listener, acceptor, queue, ending.clone(), connections);
    let serving = Server::builder().serve_with_incoming_shutdown(
        services,
        ReceiverStream::new(accepted),
        ending.clone().cancelled_owned(),
    );
    let bounded = async {
        tokio::pin!(serving);
        tokio::select! {
            result = &mut serving => return result,
            () = ending.cancelled() => {}
        }
        // A client that does not let go must not keep us.
        tokio::time::timeout(DRAIN_LIMIT, serving).await.unwrap_or(Ok(()))
    };
    let ((), result) = tokio::join!(accepting, bounded);
    result.map_err(|error| ServeError::Serve { message: error.to_string() })
}

/// Hands accepted connections to `queue`. TLS handshakes run side by side, so that none holds up another.
async fn accept_until(
    listener: Listener,
    acceptor: Option<TlsAcceptor>,
    queue: mpsc::Sender<Result<Connection, Infallible>>,
    ending: CancellationToken,
    connections: OpenConnections,
) {
    loop {
        let accepted = tokio::select! {
            () = ending.cancelled() => return,
            accepted = listener.accept() => accepted,
        };
        let Ok(connection) = accepted else {
            // Out of file descriptors, or the peer was gone again: neither is cured by trying at once.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let connection = connections.count(connection);
        let Some(acceptor) = acceptor.clone() else {
            let _ = queue.send(Ok(connection)).await;
            continue;
        };
        let queue = queue.clone();
        tokio::spawn(async move {
            // Clients that fail here are not ours; they see the TLS alert.
            if let Ok(Ok(stream)) = tokio::time::timeout(TLS_HANDSHAKE_LIMIT, acceptor.accept(connection)).await {
                let _ = queue.send(Ok(Connection::new(stream))).await;
            }
        });
    }
}
