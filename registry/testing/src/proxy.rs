//! A proxy that leads every name to one server.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::server::splice;

/// The version of SOCKS that is spoken, which is the first byte of everything.
const SOCKS_5: u8 = 5;

/// The kind of address that is a name.
const SOCKS_NAME: u8 = 3;

/// A proxy on a port of its own, until it is dropped.
pub struct Proxy {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    task: tokio::task::JoinHandle<()>,
}

#[expect(clippy::unwrap_used, reason = "a test that cannot listen cannot run")]
impl Proxy {
    /// Listens, and leads everybody to a port. It speaks HTTP and SOCKS 5: the first byte tells which.
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

    /// `127.0.0.1:PORT`.
    #[must_use]
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The names and ports that were asked for.
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

/// Reads where to, says that it is reached, and hands bytes on from then on.
async fn connect(mut stream: TcpStream, to: SocketAddr, asked: Arc<Mutex<Vec<String>>>) {
    let mut first = [0];
    let greeted = match stream.peek(&mut first).await {
        Ok(_) if first == [SOCKS_5] => socks(&mut stream).await,
        _ => http(&mut stream).await,
    };
    // Who does not say where to is not led there.
    let Ok(host) = greeted else { return };
    asked.lock().unwrap_or_else(PoisonError::into_inner).push(host);
    splice(stream, to).await;
}

/// `CONNECT HOST:PORT`.
async fn http(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    stream.write_all(b"HTTP/1.1 200 -\r\n\r\n").await?;
    Ok(String::from_utf8_lossy(&head).split(' ').nth(1).unwrap_or_default().to_owned())
}

/// The greeting, and a request for a name (RFC 1928); an address instead of a name is refused.
async fn socks(stream: &mut TcpStream) -> io::Result<String> {
    let mut greeting = [0; 2];
    stream.read_exact(&mut greeting).await?;
    stream.read_exact(&mut vec![0; usize::from(greeting[1])]).await?;
    // Nobody has to say who he is.
    stream.write_all(&[SOCKS_5, 0]).await?;
    let mut request = [0; 4];
    stream.read_exact(&mut request).await?;
    let [_, _, _, SOCKS_NAME] = request else { return Err(io::ErrorKind::Unsupported.into()) };
    let mut name = vec![0; usize::from(stream.read_u8().await?)];
    stream.read_exact(&mut name).await?;
    let port = stream.read_u16().await?;
    // It is reached, from an address that says nothing.
    stream.write_all(&[SOCKS_5, 0, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
    Ok(format!("{}:{port}", String::from_utf8_lossy(&name)))
}
