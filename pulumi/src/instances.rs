//! Which requests belong together: who shares packages, settings and what is open.
//!
//! The engine starts a process for each provider instance. A plugin that was started by hand gets a connection for each
//! instance of each deployment instead, and nothing in the requests tells them apart (`NewProvider` of the engine's plugin
//! host, v3.274). So there a connection is an instance: with settings of its own, and closed when the connection ends.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::transport::server::Connected;

use crate::package::PackageSource;
use crate::server::Options;
use crate::service::Shared;

/// The provider instances of a process.
pub(crate) enum Instances {
    /// The engine has started us for one, over however many connections.
    One(Arc<Shared>),
    /// We were started by hand.
    PerConnection { options: Options, source: Arc<dyn PackageSource>, open: Mutex<Vec<Weak<Shared>>> },
}

impl Instances {
    pub(crate) fn new(options: Options, source: Arc<dyn PackageSource>) -> Self {
        match options.engine_address {
            Some(_) => Self::One(Arc::new(Shared::new(options, source))),
            None => Self::PerConnection { options, source, open: Mutex::default() },
        }
    }

    /// A new connection, with the instance that it is for.
    pub(crate) fn connect(&self, stream: TcpStream) -> Connection {
        match self {
            Self::One(shared) => Connection { stream, instance: Instance(Arc::clone(shared)), _end: None },
            Self::PerConnection { options, source, open } => {
                let shared = Arc::new(Shared::new(options.clone(), Arc::clone(source)));
                let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
                open.retain(|shared| shared.strong_count() > 0);
                open.push(Arc::downgrade(&shared));
                let (ended, ending) = (CancellationToken::new(), Arc::clone(&shared));
                let end = ended.clone().drop_guard();
                tokio::spawn(async move {
                    ended.cancelled().await;
                    ending.end().await;
                });
                Connection { stream, instance: Instance(shared), _end: Some(end) }
            }
        }
    }

    /// Nobody is left to hear of anything; see [`Shared::abandon`].
    pub(crate) async fn abandon(&self) {
        futures::future::join_all(self.all().iter().map(|shared| shared.abandon())).await;
    }

    /// Cancels, and waits for what runs to say what became of it.
    pub(crate) async fn shut_down(&self) {
        futures::future::join_all(self.all().iter().map(|shared| shared.shut_down())).await;
    }

    fn all(&self) -> Vec<Arc<Shared>> {
        match self {
            Self::One(shared) => vec![Arc::clone(shared)],
            Self::PerConnection { open, .. } => {
                open.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect()
            }
        }
    }
}

/// The instance that a request is for; among the extensions of every request.
#[derive(Clone)]
pub(crate) struct Instance(pub(crate) Arc<Shared>);

/// A connection that knows which instance it is for.
pub(crate) struct Connection {
    stream: TcpStream,
    instance: Instance,
    /// Where the instance ends with the connection, this is what tells it.
    _end: Option<DropGuard>,
}

impl Connected for Connection {
    type ConnectInfo = Instance;

    fn connect_info(&self) -> Instance {
        self.instance.clone()
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}
