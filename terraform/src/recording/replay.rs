//! A provider whose answers come from a recording.
//!
//! It is a [`ForeignProvider`] whose connection ends in this process: what is asked arrives as it would at a provider, and is
//! looked up on the [`Tape`] by what it says.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use denobridge_core::provider::{
    Around, GetProviderSchemaRequest, GetProviderSchemaResponse, Layer, Layered, Surrounded,
};
use denobridge_core::recording::error_from_json;
use denobridge_core::{Call, CallError, Provider};
use futures::stream::{self, BoxStream};
use hyper_util::rt::TokioIo;
use tokio::io::DuplexStream;
use tonic::body::Body;
use tonic::transport::{Channel, Endpoint, Server};
use tonic::{Request, Response, async_trait};
use tower::service_fn;

use super::codec::Encoded;
use super::tape::{RECORDED_ERROR, Tape};
use crate::client::{DEFAULT_STOP_GRACE, ForeignProvider};

/// How much is on its way at a time, in bytes.
const BUFFER_BYTES: usize = 1 << 20;

/// Both ends of a connection inside of this process: the client's, which is used when something is asked, and the server's.
pub(super) fn connection() -> (Channel, DuplexStream) {
    let (ours, theirs) = tokio::io::duplex(BUFFER_BYTES);
    let ours = Arc::new(Mutex::new(Some(ours)));
    let connect = service_fn(move |_| {
        let taken = ours.lock().unwrap_or_else(PoisonError::into_inner).take();
        let ended = || std::io::Error::new(std::io::ErrorKind::NotConnected, "the recording was closed");
        std::future::ready(taken.map(TokioIo::new).ok_or_else(ended))
    });
    (Endpoint::from_static("http://recording").connect_with_connector_lazy(connect), theirs)
}

/// A provider with the answers of a tape. `schema` has what a recording does not tell of a schema, where somebody knows it.
/// Must be called inside a tokio runtime.
#[must_use]
pub fn provider(title: &str, tape: Arc<Tape>, schema: Option<GetProviderSchemaResponse>) -> Arc<dyn Provider> {
    let (channel, theirs) = connection();
    let protocol = tape.protocol();
    let served = stream::once(async move { Ok::<_, std::io::Error>(theirs) });
    let player = service_fn(move |request| played(Arc::clone(&tape), request));
    tokio::spawn(Server::builder().serve_with_incoming(player, served));
    let player = ForeignProvider::new(title.to_owned(), protocol, channel, None, DEFAULT_STOP_GRACE);
    let player: Arc<dyn Provider> = Arc::new(Surrounded(RecordedErrors(Arc::new(player))));
    match schema {
        Some(schema) => Arc::new(Layered(WithSchema { inner: player, schema })),
        None => player,
    }
}

/// Gives errors back as they were recorded, without what a connection adds.
struct RecordedErrors(Arc<dyn Provider>);

impl Around for RecordedErrors {
    fn inner(&self) -> &dyn Provider {
        &*self.0
    }

    async fn around<T: Send>(
        &self,
        _: &'static str,
        _: &Call,
        answer: impl Future<Output = Result<T, CallError>> + Send,
    ) -> Result<T, CallError> {
        answer.await.map_err(|error| {
            let message = error.to_string();
            let recorded = message.split_once(RECORDED_ERROR).and_then(|(_, json)| serde_json::from_str(json).ok());
            recorded.as_ref().map_or(error, error_from_json)
        })
    }
}

struct WithSchema {
    inner: Arc<dyn Provider>,
    schema: GetProviderSchemaResponse,
}

#[async_trait]
impl Layer for WithSchema {
    fn inner(&self) -> &dyn Provider {
        &*self.inner
    }

    async fn get_provider_schema(
        &self,
        _: &Call,
        _: GetProviderSchemaRequest,
    ) -> Result<GetProviderSchemaResponse, CallError> {
        Ok(self.schema.clone())
    }
}

/// The provider's end of the connection. One answer is a stream of one, so both kinds of procedures are the same here.
async fn played(tape: Arc<Tape>, request: http::Request<Body>) -> Result<http::Response<Body>, Infallible> {
    let procedure = request.uri().path().rsplit('/').next().unwrap_or_default().to_owned();
    let answer = service_fn(|asked: Request<Bytes>| {
        let events = tape.answer(&procedure, asked.get_ref());
        let events = events.map(|events| {
            let events: BoxStream<'static, _> = Box::pin(stream::iter(events.into_iter().map(Ok)));
            Response::new(events)
        });
        std::future::ready(events)
    });
    let mut grpc = tonic::server::Grpc::new(Encoded).max_decoding_message_size(usize::MAX);
    Ok(grpc.server_streaming(answer, request).await)
}
