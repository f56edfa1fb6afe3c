//! One accepted connection, plain or under TLS, as tonic wants it.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tonic::transport::server::Connected;

/// Anything that carries bytes both ways.
trait Transport: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Transport for T {}

/// An open connection.
pub(super) struct Connection {
    transport: Box<dyn Transport>,
    _counted: Option<Counted>,
}

impl Connection {
    /// Wraps a transport.
    pub(super) fn new(transport: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        Self { transport: Box::new(transport), _counted: None }
    }
}

/// Knows how many connections are open.
#[derive(Clone, Default)]
pub(super) struct OpenConnections(Arc<AtomicUsize>);

impl OpenConnections {
    /// Counts `connection` until it is dropped.
    pub(super) fn count(&self, mut connection: Connection) -> Connection {
        self.0.fetch_add(1, Ordering::Relaxed);
        connection._counted = Some(Counted(Arc::clone(&self.0)));
        connection
    }

    /// Whether none is open.
    #[cfg(unix)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

struct Counted(Arc<AtomicUsize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Connected for Connection {
    type ConnectInfo = ();

    fn connect_info(&self) {}
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.transport).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.transport).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.transport).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.transport).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffers: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.transport).poll_write_vectored(cx, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.transport.is_write_vectored()
    }
}
