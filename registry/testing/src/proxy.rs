//! A proxy that leads every name to one server.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::server::splice;

/// A proxy on a port of its own, until it is dropped.
pub struct Proxy {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

#[expect(clippy::unwrap_used, reason = "a test that cannot listen cannot run")]
impl Proxy {
    /// Listens, and leads everybody to a port.
    ///
    /// # Panics
    /// It cannot listen.
    pub async fn start(to_port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::<Mutex<Vec<String>>>::default();
        let kept = Arc::clone(&asked);
        let to = SocketAddr::from((Ipv4Addr::LOCALHOST, to_port));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(connect(stream, to, Arc::clone(&kept)));
            }
        });
        Self { port, asked, task }
    }

    /// `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The hosts that were asked for.
    #[must_use]
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// `CONNECT HOST:PORT`, and from then on bytes.
async fn connect(mut stream: TcpStream, to: SocketAddr, asked: Arc<Mutex<Vec<String>>>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read_u8().await {
            Ok(byte) => head.push(byte),
            Err(_) => return,
        }
    }
    let host = String::from_utf8_lossy(&head).split(' ').nth(1).unwrap_or_default().to_owned();
    asked.lock().unwrap_or_else(PoisonError::into_inner).push(host);
    if stream.write_all(b"HTTP/1.1 200 -\r\n\r\n").await.is_ok() {
        splice(stream, to).await;
    }
}
