//! The connection to a plugin: a Unix socket or a loopback port, with or without TLS.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tonic::transport::{Channel, Endpoint};

use crate::tls;

/// Room for what is under way: a schema of a large provider takes fewer round trips.
const STREAM_WINDOW_BYTES: u32 = 4 << 20;
const CONNECTION_WINDOW_BYTES: u32 = 16 << 20;

/// Where a plugin listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Address {
    /// A Unix socket.
    Unix(PathBuf),
    /// Host and port.
    Tcp(String),
}

/// Both kinds of connection, with or without TLS.
trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> Stream for S {}

/// Connects. The error is for people.
pub(super) async fn connect(address: Address, tls: Option<Arc<ClientConfig>>) -> Result<Channel, String> {
    // The name goes into the `:authority` of requests and is looked up nowhere.
    let endpoint = Endpoint::from_static("http://localhost")
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES);
    let connector = tower::service_fn(move |_| {
        let (address, tls) = (address.clone(), tls.clone());
        async move { open(&address, tls).await.map(TokioIo::new) }
    });
    endpoint.connect_with_connector(connector).await.map_err(|error| causes(&error))
}

async fn open(address: &Address, tls: Option<Arc<ClientConfig>>) -> io::Result<Box<dyn Stream>> {
    let stream: Box<dyn Stream> = match address {
        #[cfg(unix)]
        Address::Unix(path) => Box::new(tokio::net::UnixStream::connect(path).await?),
        #[cfg(not(unix))]
        Address::Unix(path) => {
            let message = format!("there are no Unix sockets here, and it listens on {}", path.display());
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        Address::Tcp(address) => {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            Box::new(stream)
        }
    };
    let Some(config) = tls else { return Ok(stream) };
    let name = ServerName::try_from(tls::NAME).map_err(io::Error::other)?;
    Ok(Box::new(TlsConnector::from(config).connect(name, stream).await?))
}

/// An error with all that lies behind it: the outermost says no more than that there was one.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
