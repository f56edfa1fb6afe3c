//! The plugin process: port line first, then service, until the engine is done with us.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use denobridge_core::recording::Recorder;
use futures::TryStreamExt as _;
use thiserror::Error;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tonic::transport::server::TcpIncoming;

use crate::instances::Instances;
use crate::package::PackageSource;
use crate::proto::pulumirpc::resource_provider_server::ResourceProviderServer;
use crate::service::Service;

/// Largest message either way, in bytes: what the engine itself allows.
pub const MAX_MESSAGE_BYTES: usize = 400 << 20;

/// How much a peer may send before it is told to go on, in bytes. The protocol's 64 KiB makes large values slow.
const WINDOW_BYTES: u32 = 4 << 20;

/// How long the answers of calls that have ended may take to be sent when the process ends.
const LAST_ANSWERS_LIMIT: Duration = Duration::from_millis(500);

/// Why serving has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The engine, or whoever started the plugin by hand, is done with it.
    Asked,
    /// The engine has died: nobody reads what running calls might still say, so nothing is waited for.
    EngineDied,
}

/// How the plugin presents itself and ends.
#[derive(Clone, Debug)]
pub struct Options {
    /// The plugin's name, as in `pulumi-resource-NAME`.
    pub plugin_name: String,
    /// The plugin's version: three numbers, no `v`. The engine compares it with what generated SDKs ask for.
    pub plugin_version: String,
    /// Where the engine listens, from the command line. None: this process was started by hand and the engine attaches
    /// to it; then it lives until it is interrupted.
    pub engine_address: Option<String>,
    /// How long a provider may go on after it was told to stop, before its call is given up. Default: 10 seconds.
    pub stop_grace: Duration,
    /// How long to wait for running calls when the process is asked to end. The engine kills it after five seconds; default: 4.
    pub shutdown_limit: Duration,
    /// What records the engine's calls, if anything does.
    pub recorder: Option<Arc<Recorder>>,
}

impl Options {
    /// Default options for a plugin of this name and version, with the engine's address as on the command line.
    #[must_use]
    pub fn new(
        plugin_name: impl Into<String>,
        plugin_version: impl Into<String>,
        engine_address: Option<String>,
    ) -> Self {
        Self {
            plugin_name: plugin_name.into(),
            plugin_version: plugin_version.into(),
            engine_address,
            stop_grace: Duration::from_secs(10),
            shutdown_limit: Duration::from_secs(4),
            recorder: None,
        }
    }
}

/// Why the plugin cannot serve.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The process was started with arguments that no plugin has.
    #[error("{0}")]
    Usage(String),
    /// There is no port to listen on.
    #[error("cannot listen on 127.0.0.1: {0}")]
    Listen(#[source] std::io::Error),
    /// Nobody reads the port line.
    #[error("cannot write the port to standard output: {0}")]
    Announce(#[source] std::io::Error),
    /// Signals cannot be received.
    #[error("cannot wait for signals: {0}")]
    Signals(#[source] std::io::Error),
    /// The service broke down.
    #[error("the gRPC service failed: {0}")]
    Service(#[from] tonic::transport::Error),
}

/// A plugin that listens, and answers once it runs.
pub struct PulumiServer {
    listener: TcpListener,
    instances: Instances,
}

impl PulumiServer {
    /// Takes a port. Must be called inside a tokio runtime; does nothing else, so that the port line is out at once.
    ///
    /// # Errors
    /// There is no port.
    pub fn bind(options: Options, source: Arc<dyn PackageSource>) -> Result<Self, ServeError> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(ServeError::Listen)?;
        listener.set_nonblocking(true).map_err(ServeError::Listen)?;
        Ok(Self { listener, instances: Instances::new(options, source) })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// The system does not say.
    pub fn address(&self) -> Result<SocketAddr, ServeError> {
        self.listener.local_addr().map_err(ServeError::Listen)
    }

    /// Answers requests until `end`. Then running calls are cancelled, and, unless the engine has died, have a while to
    /// say what became of them.
    ///
    /// # Errors
    /// The service breaks down.
    pub async fn run(self, end: impl Future<Output = Ending>) -> Result<Ending, ServeError> {
        let listener = tokio::net::TcpListener::from_std(self.listener).map_err(ServeError::Listen)?;
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
        let instances = &self.instances;
        let service = ResourceProviderServer::new(Service)
            .max_decoding_message_size(MAX_MESSAGE_BYTES)
            .max_encoding_message_size(MAX_MESSAGE_BYTES);
        let last_answers = CancellationToken::new();
        let serving = tonic::transport::Server::builder()
            .initial_stream_window_size(WINDOW_BYTES)
            .initial_connection_window_size(WINDOW_BYTES)
            .serve_with_incoming_shutdown(
                service,
                incoming.map_ok(|stream| instances.connect(stream)),
                last_answers.clone().cancelled_owned(),
            );
        tokio::pin!(serving);
        let ending = async {
            let ending = end.await;
            match ending {
                Ending::Asked => instances.shut_down().await,
                Ending::EngineDied => instances.abandon().await,
            }
            ending
        };
        let ending = tokio::select! {
            served = &mut serving => return served.map(|()| Ending::Asked).map_err(ServeError::from),
            ending = ending => ending,
        };
        if ending == Ending::Asked {
            // What running calls have said in the end still has to leave this process.
            last_answers.cancel();
            let _ = tokio::time::timeout(LAST_ANSWERS_LIMIT, serving).await;
        }
        Ok(ending)
    }
}

/// Serves packages to the engine: the whole life of a plugin process.
///
/// Ends when the engine is done (it interrupts us after Cancel), when it has died (its end of our standard input closes),
/// or when a plugin that was started by hand is interrupted.
///
/// # Errors
/// See [`ServeError`].
pub async fn serve_packages(options: Options, source: Arc<dyn PackageSource>) -> Result<Ending, ServeError> {
    let attached = options.engine_address.is_none();
    let name = options.plugin_name.clone();
    let server = PulumiServer::bind(options, source)?;
    let port = server.address()?.port();
    // Everything else waits for this line: the engine reads it before it does anything with us.
    let mut output = std::io::stdout().lock();
    writeln!(output, "{port}").and_then(|()| output.flush()).map_err(ServeError::Announce)?;
    drop(output);
    if attached {
        // For whoever has started it and now wonders.
        eprintln!(
            "{name}: listening. To use it: PULUMI_DEBUG_PROVIDERS={name}:{port} pulumi up. An interrupt ends it."
        );
    }
    let interrupted = interruption().map_err(ServeError::Signals)?;
    let engine_died = Arc::new(Notify::new());
    if !attached {
        watch_standard_input(Arc::clone(&engine_died));
    }
    server
        .run(async {
            tokio::select! {
                () = interrupted => Ending::Asked,
                () = engine_died.notified() => Ending::EngineDied,
            }
        })
        .await
}

/// Tells when standard input ends. The engine never writes to it, and holds it open as long as it lives.
fn watch_standard_input(ended: Arc<Notify>) {
    // A thread of its own: reading cannot be called off, and must not keep the runtime from ending.
    let watch = move || {
        let mut input = std::io::stdin().lock();
        let mut buffer = [0; 256];
        while matches!(input.read(&mut buffer), Ok(1..)) {}
        ended.notify_one();
    };
    // Without the thread we only lose the way to notice a killed engine.
    let _ = std::thread::Builder::new().name("engine-watch".to_owned()).spawn(watch);
}

/// The end of the process as asked for by a signal. Registered at once: a signal that comes before must not kill us.
#[cfg(unix)]
fn interruption() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

#[cfg(not(unix))]
fn interruption() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without the signal, the end of standard input or the engine ends us.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
