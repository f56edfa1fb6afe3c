//! Serving a provider to Terraform and OpenTofu as a go-plugin plugin.
//!
//! A host starts the plugin with a cookie and its wishes in the environment, reads one line from standard output, connects
//! and calls. [`serve`] is that life from the line to the end; [`serve_debug`] serves a provider that a person started and
//! that hosts find through `TF_REATTACH_PROVIDERS`.

mod companions;
mod connection;
mod debug;
mod door;
mod ending;
mod environment;
mod handshake;
mod log;
mod panic;
mod provider5;
mod provider6;
mod server;
mod socket;
mod tls;

use std::io::Write as _;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use denobridge_core::{Call, Provider};
use futures::future::BoxFuture;
use thiserror::Error;
use tokio::io::DuplexStream;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tonic::transport::Server;

use self::connection::OpenConnections;
use self::log::HostLog;
use self::provider6::{ProviderService, Rerun};
use self::server::Services;
use self::socket::Listener;

pub use self::debug::serve_debug;
pub(crate) use self::door::Door;

/// A version of the plugin protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Protocol {
    /// Version 5, for hosts before Terraform 1.0. It has no attributes with attributes of their own, no computed blocks and
    /// no state stores: a provider that has the first two tells such a host what does not fit, state stores are left out.
    V5,
    /// Version 6.
    V6,
}

impl Protocol {
    /// Its number in handshakes.
    fn number(self) -> u32 {
        match self {
            Self::V5 => 5,
            Self::V6 => 6,
        }
    }
}

/// A status of gRPC that goes out in place of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireStatus {
    /// Its number, such as 13 for `INTERNAL`.
    pub code: i32,
    /// Its text.
    pub message: String,
}

/// Says which procedures, as the protocol spells them, are answered with a status. For tests of hosts: whatever happens in a
/// provider becomes an answer, but there are other plugins.
pub type Statuses = Arc<dyn Fn(&str) -> Option<WireStatus> + Send + Sync>;

/// What is to be done before the host that has asked for the end is told that there is nothing left to do. Hosts wait for that:
/// Terraform without a limit (measured), so it is cut off after [`FAREWELL_LIMIT`].
pub type Farewell = Arc<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>;

/// How long a farewell may take.
pub const FAREWELL_LIMIT: Duration = Duration::from_secs(10);

/// What to serve a provider as.
#[derive(Clone)]
pub struct ServeOptions {
    /// The provider's source address, such as `registry.terraform.io/denobridge/denobridge`. Its last part names the
    /// provider in log settings (`TF_LOG_PROVIDER_DENOBRIDGE`), the whole is the key in `TF_REATTACH_PROVIDERS`.
    pub address: String,
    /// The protocol versions to offer; the highest that the host speaks as well is served. None offers all.
    pub protocols: Vec<Protocol>,
    /// Which procedures are not answered but refused; by itself none.
    pub statuses: Option<Statuses>,
    /// What is done when the host asks for the end; by itself nothing.
    pub farewell: Option<Farewell>,
}

impl ServeOptions {
    /// Serves as the provider of that source address.
    pub fn new(address: impl Into<String>) -> Self {
        Self { address: address.into(), protocols: vec![Protocol::V5, Protocol::V6], statuses: None, farewell: None }
    }

    /// Offers these protocol versions only.
    #[must_use]
    pub fn with_protocols(mut self, protocols: impl IntoIterator<Item = Protocol>) -> Self {
        self.protocols = protocols.into_iter().collect();
        self
    }

    /// Refuses procedures with a status of gRPC.
    #[must_use]
    pub fn with_statuses(mut self, statuses: Statuses) -> Self {
        self.statuses = Some(statuses);
        self
    }

    /// Does this when the host asks for the end.
    #[must_use]
    pub fn with_farewell(mut self, farewell: Farewell) -> Self {
        self.farewell = Some(farewell);
        self
    }

    /// The numbers of the protocol versions on offer.
    fn versions(&self) -> Vec<u32> {
        let offered: &[Protocol] =
            if self.protocols.is_empty() { &[Protocol::V5, Protocol::V6] } else { &self.protocols };
        offered.iter().map(|protocol| protocol.number()).collect()
    }

    /// The last part of the address.
    fn provider_type(&self) -> &str {
        self.address.rsplit('/').next().unwrap_or_default()
    }
}

impl std::fmt::Debug for ServeOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ServeOptions")
            .field("address", &self.address)
            .field("protocols", &self.protocols)
            .field("statuses", &self.statuses.is_some())
            .field("farewell", &self.farewell.is_some())
            .finish()
    }
}

/// The source address alone.
impl From<&str> for ServeOptions {
    fn from(address: &str) -> Self {
        Self::new(address)
    }
}

/// Why a provider could not be served.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ServeError {
    /// No host started this process, so there is nobody to serve.
    #[error("{help}")]
    StartedByHand {
        /// What the program is, for who started it.
        help: String,
    },
    /// The host said something that makes no sense.
    #[error("{message}")]
    Environment {
        /// Which variable and what is wrong with it.
        message: String,
    },
    /// No certificate could be made.
    #[error("cannot set up TLS: {message}")]
    Tls {
        /// What failed.
        message: String,
    },
    /// No place to listen.
    #[error("cannot listen: {message}")]
    Listen {
        /// Where and why.
        message: String,
    },
    /// Standard output is closed, so the host cannot learn where we are.
    #[error("cannot tell the host where to connect: {message}")]
    Handshake {
        /// What failed.
        message: String,
    },
    /// The server broke down.
    #[error("the server failed: {message}")]
    Serve {
        /// What failed.
        message: String,
    },
}

/// Whether a plugin host started this process, told by the cookie in the environment.
#[must_use]
pub fn started_by_host() -> bool {
    environment::has_cookie(variable)
}

/// Tells a person who started the plugin by hand what it is. The result is for `main` to return.
#[must_use]
pub fn refuse_direct_start(program: &str) -> ExitCode {
    let help = direct_start_help(program) + "\n";
    let _ = std::io::stderr().write_all(help.as_bytes());
    ExitCode::FAILURE
}

fn direct_start_help(program: &str) -> String {
    format!(
        "{program} is a plugin: Terraform or OpenTofu starts it, and it does nothing when started by hand.\n\
         To try it, name its directory under dev_overrides in the CLI configuration and run `terraform plan`."
    )
}

/// Serves `provider` to the host that started this process, until the host ends it.
///
/// Prints the handshake line, so nothing may be written to standard output before. Interrupts are ignored from here on,
/// and panics are printed as hosts expect. Must run within a Tokio runtime.
///
/// This is all that the `main` of a plugin has to do; where the source address says everything, it stands for the options:
/// `serve(provider, "registry.terraform.io/example/tiny")`.
///
/// # Errors
/// No host started this process (the error then says what the program is), the environment is broken, nothing could be
/// listened on, or the server failed.
pub async fn serve(provider: Arc<dyn Provider>, options: impl Into<ServeOptions>) -> Result<(), ServeError> {
    let options = options.into();
    let door = Door::open().await?;
    let version = handshake::negotiate(door.offered(), &options.versions());
    let log = Arc::new(HostLog::from_environment(options.provider_type(), None, variable));
    let service = Arc::new(ProviderService::new(provider, log, Rerun::Refused));
    let served = Served { protocol: version, statuses: options.statuses, farewell: options.farewell };
    let services = Services::new(Arc::clone(&service), served, door.ending().clone());
    let result = door.serve(version, services).await;
    service.end().await;
    result
}

/// How a provider is served.
struct Served {
    protocol: u32,
    statuses: Option<Statuses>,
    farewell: Option<Farewell>,
}

/// Serves `provider` to the host at the other end of a connection inside of this process, in a task that ends with it.
/// Nothing is logged, and nobody starts or ends this process: it is for playing what was recorded. Must run within a Tokio
/// runtime.
pub(crate) fn over(connection: DuplexStream, provider: Arc<dyn Provider>, protocol: u32) {
    let service = ProviderService::new(provider, Arc::clone(Call::new().log_sink()), Rerun::Allowed);
    let services =
        Services::new(Arc::new(service), Served { protocol, statuses: None, farewell: None }, CancellationToken::new());
    let connection = futures::stream::once(async move { Ok::<_, std::io::Error>(connection) });
    tokio::spawn(Server::builder().serve_with_incoming(services, connection));
}

async fn run(
    service: ProviderService,
    served: Served,
    listener: Listener,
    acceptor: Option<TlsAcceptor>,
    ending: CancellationToken,
    connections: OpenConnections,
) -> Result<(), ServeError> {
    let service = Arc::new(service);
    let services = Services::new(Arc::clone(&service), served, ending.clone());
    let result = server::run(listener, acceptor, services, ending, connections).await;
    service.end().await;
    result
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
