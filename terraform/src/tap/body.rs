//! Bodies of requests and answers, and answers of our own.

use bytes::Bytes;
use denobridge_core::CallError;
use futures::{Stream, StreamExt as _};
use http::{HeaderMap, HeaderValue, header, response};
use http_body::Frame;
use http_body_util::{BodyExt as _, BodyStream, Full, StreamBody};
use tonic::body::Body;
use tonic::transport::Channel;
use tonic::{Code, Status};
use tower::{Service as _, ServiceExt as _};

use super::frames::{self, Frames};

pub(super) type Request = http::Request<Body>;
pub(super) type Response = http::Response<Body>;

/// Passes a request on as it is.
///
/// # Errors
/// There is no answer, not even a bad one, since the provider is gone.
pub(super) async fn pass(channel: &Channel, request: Request) -> Result<Response, Status> {
    let mut channel = channel.clone();
    let answered = match channel.ready().await {
        Ok(channel) => channel.call(request).await,
        Err(error) => Err(error),
    };
    answered.map_err(|error| gone(&error))
}

/// The same, as an answer in any case. Of a provider that is gone in the middle of it, hosts expect the status that they make
/// themselves of a connection that broke.
pub(super) async fn pass_all(channel: &Channel, request: Request) -> Response {
    match pass(channel, request).await {
        Ok(response) => response.map(|body| {
            let frames = BodyStream::new(body).map(|frame| frame.or_else(|error| trailers(&gone(&error))));
            Body::new(StreamBody::new(frames))
        }),
        Err(status) => status.into_http(),
    }
}

/// The status of a provider that is gone.
fn gone(error: &dyn std::error::Error) -> Status {
    Status::unavailable(format!("the connection to the provider broke: {error}"))
}

/// The end of a body with this status.
fn trailers(status: &Status) -> Result<Frame<Bytes>, Status> {
    let mut headers = HeaderMap::new();
    status.add_header(&mut headers)?;
    Ok(Frame::trailers(headers))
}

/// A body of one message, all of which is there.
#[derive(Debug, Default)]
pub(super) struct Received {
    /// The body as it came.
    pub bytes: Bytes,
    /// The message in it, or why it cannot be read; none in an answer that is only a status.
    pub message: Option<Result<Bytes, Status>>,
    /// What came behind it.
    pub trailers: Option<HeaderMap>,
}

/// Reads a body of one message, whose head is there.
///
/// # Errors
/// It breaks off, is too large, or is not one message.
pub(super) async fn receive(head: &HeaderMap, mut body: Body) -> Result<Received, Status> {
    let (mut frames, mut received, mut message) = (Frames::default(), Received::default(), None);
    while let Some(frame) = body.frame().await {
        match frame.map_err(|error| gone(&error))?.into_data() {
            Ok(data) => frames.push(&data),
            Err(other) => received.trailers = other.into_trailers().ok(),
        }
        while let Some(frame) = frames.next()? {
            if message.replace(frame).is_some() {
                return Err(Status::internal("there are several messages where one is expected"));
            }
        }
    }
    if !frames.is_empty() {
        return Err(Status::internal("the message breaks off"));
    }
    if let Some(frame) = message {
        received.message = Some(frame.message(head));
        received.bytes = frame.bytes;
    }
    Ok(received)
}

/// A body of bytes that are there.
pub(super) fn of_bytes(bytes: Bytes) -> Body {
    Body::new(Full::new(bytes))
}

/// An answer with this head, these bytes, and what comes behind them.
pub(super) fn answer(head: response::Parts, bytes: Bytes, trailers: Option<HeaderMap>) -> Response {
    let body = match trailers {
        Some(trailers) => Body::new(Full::new(bytes).with_trailers(async move { Some(Ok(trailers)) })),
        None => of_bytes(bytes),
    };
    Response::from_parts(head, body)
}

/// An answer of our own: one message.
pub(super) fn own_answer(message: &impl prost::Message) -> Response {
    match frames::framed(&message.encode_to_vec(), &[]) {
        Ok(bytes) => answer(own_head(), bytes, Some(ok())),
        Err(status) => status.into_http(),
    }
}

/// An answer that is a stream of bytes, with a status at its end.
pub(super) fn stream(head: response::Parts, frames: impl Stream<Item = Frame<Bytes>> + Send + 'static) -> Response {
    Response::from_parts(head, Body::new(StreamBody::new(frames.map(Ok::<_, Status>))))
}

/// The head of an answer of our own.
pub(super) fn own_head() -> response::Parts {
    let mut response = http::Response::new(());
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/grpc"));
    response.into_parts().0
}

/// What is behind an answer that is one.
pub(super) fn ok() -> HeaderMap {
    HeaderMap::from_iter([(header::HeaderName::from_static("grpc-status"), HeaderValue::from_static("0"))])
}

/// The status that an answer ends with.
pub(super) fn status(head: &HeaderMap, trailers: Option<&HeaderMap>) -> Status {
    let found = trailers.and_then(Status::from_header_map).or_else(|| Status::from_header_map(head));
    found.unwrap_or_else(|| Status::unknown("the provider's answer has no status"))
}

/// What a host is told when there is no answer, and not since the provider said so.
pub(super) fn status_of(error: &CallError) -> Status {
    let code = match error {
        CallError::Unimplemented { .. } => Code::Unimplemented,
        CallError::Cancelled => Code::Cancelled,
        CallError::DeadlineExceeded { .. } => Code::DeadlineExceeded,
        CallError::Unavailable { .. } => Code::Unavailable,
        CallError::Internal { .. } => Code::Internal,
    };
    Status::new(code, error.to_string())
}
