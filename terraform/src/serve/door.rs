//! The way in for the host that started this process, whatever is served behind it.

use std::convert::Infallible;
use std::io::Write as _;
use std::sync::Arc;

use denobridge_core::call::LogSink;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tonic::body::Body;
use tonic::codegen::{Service, http};

use super::connection::OpenConnections;
use super::environment::HostEnvironment;
use super::log::HostLog;
use super::socket::Listener;
use super::{ServeError, direct_start_help, ending, handshake, panic, server, started_by_host, tls, variable};

/// A place to listen that the host was not told of yet.
pub(crate) struct Door {
    environment: HostEnvironment,
    listener: Listener,
    tls: Option<tls::ServerTls>,
    ending: CancellationToken,
    connections: OpenConnections,
}

impl Door {
    /// Listens as the host wants it. Interrupts are ignored from here on, and panics are printed as hosts expect.
    ///
    /// # Errors
    /// No host started this process (the error then says what the program is), the environment is broken, or nothing could
    /// be listened on.
    pub(crate) async fn open() -> Result<Self, ServeError> {
        if !started_by_host() {
            let program = std::env::args_os().next().map(std::path::PathBuf::from).unwrap_or_default();
            let name = program.file_name().unwrap_or_default().to_string_lossy();
            return Err(ServeError::StartedByHand { help: direct_start_help(&name) });
        }
        panic::print_as_crashes();
        ending::ignore_interrupts();
        let environment = HostEnvironment::read(variable)?;
        let tls = environment.client_certificate.as_deref().map(tls::automatic).transpose()?;
        let listener = Listener::open(&environment).await?;
        let (ending, connections) = (CancellationToken::new(), OpenConnections::default());
        Ok(Self { environment, listener, tls, ending, connections })
    }

    /// The protocol versions that the host speaks, in no order; empty when it did not say.
    pub(crate) fn offered(&self) -> &[u32] {
        &self.environment.protocol_versions
    }

    /// Cancelled when it is over, whoever says so.
    pub(crate) fn ending(&self) -> &CancellationToken {
        &self.ending
    }

    /// The log of the host, for the provider of that type.
    pub(crate) fn log(provider_type: &str) -> Arc<dyn LogSink> {
        Arc::new(HostLog::from_environment(provider_type, None, variable))
    }

    /// Tells the host where we are and which protocol version it is, and serves it until the end.
    ///
    /// # Errors
    /// Standard output is closed, or the server failed.
    pub(crate) async fn serve<S>(self, version: u32, services: S) -> Result<(), ServeError>
    where
        S: Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible> + Clone + Send + 'static,
        S::Future: Send,
    {
        let Self { environment, listener, tls, ending, connections } = self;
        ending::end_on_termination(ending.clone());
        ending::end_with_host(ending.clone(), connections.clone());
        let certificate = tls.as_ref().map(|tls| tls.certificate.as_ref());
        let line = handshake::line(version, listener.address(), certificate, environment.asks_for_multiplexing);
        announce(&line).map_err(|error| ServeError::Handshake { message: error.to_string() })?;
        let acceptor = tls.map(|tls| TlsAcceptor::from(tls.config));
        server::run(listener, acceptor, services, ending, connections).await
    }
}

fn announce(line: &str) -> std::io::Result<()> {
    let mut output = std::io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()
}
