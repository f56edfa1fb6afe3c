//! A plugin that says back what it was asked, whatever that is: for tests of who stands between it and a host.
//!
//! An answer is a message with one field that no protocol has, in which there is all of the request: its path, its headers but
//! for those of HTTP (to the name of the client, each hop adds its own), and its body. `Fail` in a path gets a status with details, `Crash` the end of the process. Who sends
//! `x-answer-in` gets messages that are compressed: with `gzip`, or in a way that is called so and is none.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::convert::Infallible;
use std::io::Write as _;
use std::task::{Context, Poll};

use bytes::Bytes;
use denobridge_terraform::proto::tfplugin6 as pb;
use futures::future::BoxFuture;
use futures::stream;
use http_body_util::{BodyExt as _, Full};
use pb::invoke_action::event::{Completed, Type as Event};
use tokio::net::UnixListener;
use tonic::body::Body;
use tonic::codegen::{Service, http};
use tonic::metadata::MetadataMap;
use tonic::transport::Server;
use tonic::{Code, Status};

#[tokio::main]
async fn main() {
    let folder = std::env::temp_dir().join(format!("echo-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let socket = folder.join("socket");
    // Of one that was killed, whose number this process has now.
    let _ = std::fs::remove_file(&socket);
    let listener = UnixListener::bind(&socket).unwrap();
    let protocol = std::env::var("ECHO_PROTOCOL").unwrap_or_else(|_| "6".to_owned());
    eprintln!("offered {}", std::env::var("PLUGIN_PROTOCOL_VERSIONS").unwrap_or_default());
    println!("1|{protocol}|unix|{}|grpc|", socket.display());
    let incoming = stream::unfold(listener, |listener| async move {
        let accepted = listener.accept().await.map(|(stream, _)| stream);
        Some((accepted, listener))
    });
    let ending = async { while !ended().await {} };
    Server::builder().serve_with_incoming_shutdown(Echo, incoming, ending).await.unwrap();
    let _ = std::fs::remove_dir_all(folder);
}

/// Set once `Shutdown` was answered.
async fn ended() -> bool {
    tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    ENDING.load(std::sync::atomic::Ordering::Relaxed)
}

static ENDING: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

#[derive(Clone)]
struct Echo;

impl Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        Box::pin(async { Ok(answer(request).await) })
    }
}

async fn answer(request: http::Request<Body>) -> http::Response<Body> {
    let (head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    let body = body.collect().await.unwrap().to_bytes();
    if path.contains("Crash") {
        eprintln!("panic: deliberate");
        std::process::abort();
    }
    if path.contains("Fail") {
        let mut metadata = MetadataMap::new();
        metadata.insert("x-reason", "deliberate".parse().unwrap());
        let details = Bytes::from_static(b"\x00details");
        return Status::with_details_and_metadata(Code::Aborted, "refused: ü", details, metadata).into_http();
    }
    if path.contains("Shutdown") {
        eprintln!("asked to end");
        ENDING.store(true, std::sync::atomic::Ordering::Relaxed);
    }
    let mut echoed = format!("{path}\n").into_bytes();
    let mut headers: Vec<_> =
        head.headers.iter().filter(|(name, _)| *name != "content-length" && *name != "user-agent").collect();
    headers.sort_by_key(|(name, _)| name.as_str());
    for (name, value) in headers {
        echoed.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\n"].concat());
    }
    echoed.extend_from_slice(&body);
    let encoding = head.headers.get("x-answer-in").cloned();
    let framed = |message: &[u8]| framed(message, encoding.as_ref().map(|encoding| encoding.to_str().unwrap()));
    let mut frames = framed(&unknown_field(&echoed));
    if path.contains("InvokeAction") {
        // A kind of event that does not exist yet, and the end of the action.
        let end = pb::invoke_action::Event { r#type: Some(Event::Completed(Completed::default())) };
        frames.extend(framed(&prost::Message::encode_to_vec(&end)));
    } else if path.contains("Stream") {
        frames.extend(framed(b""));
    }
    let trailers = http::HeaderMap::from_iter([
        (http::HeaderName::from_static("grpc-status"), http::HeaderValue::from_static("0")),
        (http::HeaderName::from_static("x-behind"), http::HeaderValue::from_static("it")),
    ]);
    let body = Full::new(Bytes::from(frames)).with_trailers(async move { Some(Ok(trailers)) });
    let mut head = http::Response::builder().header("content-type", "application/grpc").header("x-before", "it");
    if let Some(encoding) = encoding {
        head = head.header("grpc-encoding", encoding);
    }
    head.body(Body::new(body)).unwrap()
}

/// Field 1000, which is text or a message of a length.
fn unknown_field(bytes: &[u8]) -> Vec<u8> {
    let mut field = Vec::new();
    prost::encoding::encode_key(1000, prost::encoding::WireType::LengthDelimited, &mut field);
    prost::encoding::encode_varint(bytes.len() as u64, &mut field);
    field.extend_from_slice(bytes);
    field
}

fn framed(message: &[u8], encoding: Option<&str>) -> Vec<u8> {
    let (flag, message) = match encoding {
        None => (0, message.to_vec()),
        Some("gzip") => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            encoder.write_all(message).unwrap();
            (1, encoder.finish().unwrap())
        }
        Some(_) => (1, message.iter().rev().copied().collect()),
    };
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    [&[flag], length.as_slice(), &message].concat()
}
