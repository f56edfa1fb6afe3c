//! A small HTTPS server that writes down what it was asked, and can be told to misbehave.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncRead, AsyncWrite, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::authority::Authority;

/// What came in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// With the query.
    pub path: String,
    /// The whole header.
    pub authorization: Option<String>,
}

/// What goes out.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// Headers besides the length.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Reply {
    /// A status and nothing else.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self { status, headers: Vec::new(), body: Vec::new() }
    }

    /// JSON.
    #[must_use]
    pub fn json(value: &serde_json::Value) -> Self {
        Self::bytes(value.to_string().into_bytes()).header("Content-Type", "application/json")
    }

    /// Bytes of no particular kind.
    #[must_use]
    pub fn bytes(body: Vec<u8>) -> Self {
        Self { status: 200, headers: Vec::new(), body }
    }

    /// The same with a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// How a server misbehaves.
#[derive(Clone, Debug)]
pub enum Fault {
    /// It answers this instead.
    Instead(Reply),
    /// It sends half the body and closes the connection.
    Half,
    /// It takes its time.
    Slow(Duration),
    /// It answers with this for so many times, and then as it should.
    Times(usize, Reply),
}

type Answer = dyn Fn(&Request) -> Reply + Send + Sync;

#[derive(Default)]
struct Shared {
    asked: Mutex<Vec<Request>>,
    /// By a part of the path; the last one that fits counts.
    faults: Mutex<Vec<(String, Fault)>>,
}

/// A server on a port of its own, until it is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

/// A test that fails while it holds something has told enough.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[expect(clippy::unwrap_used, reason = "a test that cannot listen cannot run")]
impl Server {
    /// Listens, with a certificate of the authority.
    ///
    /// # Panics
    /// It cannot listen.
    pub async fn start(authority: &Authority, answer: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::<Shared>::default();
        let (kept, answer): (_, Arc<Answer>) = (Arc::clone(&shared), Arc::new(answer));
        let acceptor = TlsAcceptor::from(authority.server());
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, kept, answer) = (acceptor.clone(), Arc::clone(&kept), Arc::clone(&answer));
                tokio::spawn(async move {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        // Who hangs up is no concern of the server.
                        let _ = serve(stream, &kept, &*answer).await;
                    }
                });
            }
        });
        Self { address, shared, task }
    }

    /// `localhost:PORT`.
    #[must_use]
    pub fn host(&self) -> String {
        format!("localhost:{}", self.address.port())
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// `https://localhost:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("https://{}", self.host())
    }

    /// What was asked so far.
    #[must_use]
    pub fn asked(&self) -> Vec<Request> {
        held(&self.shared.asked).clone()
    }

    /// Misbehaves from now on where a path has this in it.
    pub fn fault(&self, path_part: &str, fault: Fault) {
        held(&self.shared.faults).push((path_part.to_owned(), fault));
    }

    /// Behaves again.
    pub fn recover(&self) {
        held(&self.shared.faults).clear();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(stream: impl AsyncRead + AsyncWrite + Unpin, shared: &Shared, answer: &Answer) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    let request = read(&mut stream).await?;
    held(&shared.asked).push(request.clone());
    let (mut reply, mut sent) = (answer(&request), None);
    match take_fault(shared, &request) {
        Some(Fault::Instead(instead)) | Some(Fault::Times(_, instead)) => reply = instead,
        Some(Fault::Half) => sent = Some(reply.body.len() / 2),
        Some(Fault::Slow(time)) => tokio::time::sleep(time).await,
        None => {}
    }
    let mut head =
        format!("HTTP/1.1 {} -\r\nContent-Length: {}\r\nConnection: close\r\n", reply.status, reply.body.len());
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(reply.body.get(..sent.unwrap_or(reply.body.len())).unwrap_or_default()).await?;
    stream.shutdown().await
}

fn take_fault(shared: &Shared, request: &Request) -> Option<Fault> {
    let mut faults = held(&shared.faults);
    let (_, fault) = faults.iter_mut().rev().find(|(part, _)| request.path.contains(part.as_str()))?;
    match fault {
        Fault::Times(0, _) => None,
        Fault::Times(left, _) => {
            *left -= 1;
            Some(fault.clone())
        }
        fault => Some(fault.clone()),
    }
}

async fn read(stream: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Request> {
    let mut line = String::new();
    stream.read_line(&mut line).await?;
    let mut request = Request { path: line.split(' ').nth(1).unwrap_or_default().to_owned(), ..Request::default() };
    loop {
        line.clear();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { return Ok(request) };
        if name.eq_ignore_ascii_case("authorization") {
            request.authorization = Some(value.to_owned());
        }
    }
}

/// Hands bytes on in both directions until one side is done.
pub(crate) async fn splice(mut one: TcpStream, address: SocketAddr) {
    if let Ok(mut other) = TcpStream::connect(address).await {
        // Who hangs up is no concern of who hands on.
        let _ = tokio::io::copy_bidirectional(&mut one, &mut other).await;
    }
}
