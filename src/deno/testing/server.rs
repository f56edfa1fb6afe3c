//! A small HTTP server for tests, on the loopback interface.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What came in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    pub(crate) path: String,
    pub(crate) authorization: Option<String>,
    pub(crate) body: String,
}

/// What goes out.
pub(crate) enum Reply {
    Text(u16, String),
    File(PathBuf),
    /// A length, and fewer bytes than that.
    Cut(Vec<u8>),
}

type Answer = dyn Fn(&Asked) -> Reply + Send + Sync;

pub(crate) struct Server {
    pub(crate) address: String,
    pub(crate) asked: Arc<Mutex<Vec<Asked>>>,
    task: tokio::task::JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start(answer: impl Fn(&Asked) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (kept, answer): (_, Arc<Answer>) = (Arc::clone(&asked), Arc::new(answer));
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&kept), Arc::clone(&answer)));
            }
        });
        Self { address, asked, task }
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|asked| asked.path.clone()).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(stream: TcpStream, kept: Arc<Mutex<Vec<Asked>>>, answer: Arc<Answer>) {
    let mut stream = BufReader::new(stream);
    let Some(asked) = read(&mut stream).await else { return };
    kept.lock().unwrap().push(asked.clone());
    let (status, body, missing) = match answer(&asked) {
        Reply::Text(status, text) => (status, text.into_bytes(), 0),
        Reply::File(path) => match tokio::fs::read(path).await {
            Ok(bytes) => (200, bytes, 0),
            Err(_) => (404, Vec::new(), 0),
        },
        Reply::Cut(bytes) => (200, bytes, 10),
    };
    let length = body.len() + missing;
    let head = match status {
        204 => "HTTP/1.1 204 -\r\nConnection: close\r\n\r\n".to_owned(),
        _ => format!("HTTP/1.1 {status} -\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"),
    };
    let _ = stream.write_all(head.as_bytes()).await;
    let _ = stream.write_all(&body).await;
    let _ = stream.flush().await;
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<Asked> {
    let mut line = String::new();
    stream.read_line(&mut line).await.ok()?;
    let mut words = line.split_whitespace();
    // The method, which follows from the path.
    words.next()?;
    let mut asked = Asked { path: words.next()?.into(), ..Asked::default() };
    let mut length = 0;
    loop {
        line.clear();
        stream.read_line(&mut line).await.ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "authorization" => asked.authorization = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    asked.body = String::from_utf8(body).ok()?;
    Some(asked)
}
