//! The services that a go-plugin host expects beside the provider: health, controller, standard output and broker.

use std::pin::Pin;

use futures::stream::{self, BoxStream, Stream, StreamExt as _};
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status, Streaming, async_trait};

use super::{FAREWELL_LIMIT, Farewell};
use crate::proto::health::health_check_response::ServingStatus;
use crate::proto::health::{
    HealthCheckRequest, HealthCheckResponse, HealthListRequest, HealthListResponse, health_server,
};
use crate::proto::plugin::{ConnInfo, Empty, StdioData, grpc_broker_server, grpc_controller_server, grpc_stdio_server};

/// The name under which go-plugin hosts ask after a plugin's health.
const PLUGIN_SERVICE: &str = "plugin";

/// All four services. They end with the server: streams that stay open would otherwise hold up an orderly end.
#[derive(Clone)]
pub(super) struct Companions {
    /// Cancelled by the host's `Shutdown` and by every other reason to end.
    pub ending: CancellationToken,
    /// What is done before the host's `Shutdown` is answered.
    pub farewell: Option<Farewell>,
}

type BoxResult<T> = BoxStream<'static, Result<T, Status>>;

impl Companions {
    /// A stream that gives `first` and then stays open until the server ends.
    fn open_until_end<T: Send + 'static>(&self, first: Option<T>) -> BoxResult<T> {
        let ending = self.ending.clone();
        let end = stream::once(async move { ending.cancelled_owned().await }).filter_map(|()| async { None });
        stream::iter(first.map(Ok)).chain(end).boxed()
    }
}

/// An empty name means the server as a whole.
fn is_known(service: &str) -> bool {
    service.is_empty() || service == PLUGIN_SERVICE
}

fn serving() -> HealthCheckResponse {
    HealthCheckResponse { status: ServingStatus::Serving.into() }
}

#[async_trait]
impl health_server::Health for Companions {
    async fn check(&self, request: Request<HealthCheckRequest>) -> Result<Response<HealthCheckResponse>, Status> {
        if is_known(&request.get_ref().service) {
            Ok(Response::new(serving()))
        } else {
            Err(Status::not_found("unknown service"))
        }
    }

    async fn list(&self, _: Request<HealthListRequest>) -> Result<Response<HealthListResponse>, Status> {
        let statuses = [("", serving()), (PLUGIN_SERVICE, serving())];
        Ok(Response::new(HealthListResponse {
            statuses: statuses.map(|(name, status)| (name.to_owned(), status)).into(),
        }))
    }

    type WatchStream = BoxResult<HealthCheckResponse>;

    async fn watch(&self, request: Request<HealthCheckRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let unknown = HealthCheckResponse { status: ServingStatus::ServiceUnknown.into() };
        let status = if is_known(&request.get_ref().service) { serving() } else { unknown };
        Ok(Response::new(self.open_until_end(Some(status))))
    }
}

#[async_trait]
impl grpc_controller_server::GrpcController for Companions {
    async fn shutdown(&self, _: Request<Empty>) -> Result<Response<Empty>, Status> {
        if let Some(farewell) = &self.farewell {
            // Whatever is left of it then is left undone.
            let _ = tokio::time::timeout(FAREWELL_LIMIT, farewell()).await;
        }
        self.ending.cancel();
        Ok(Response::new(Empty {}))
    }
}

#[async_trait]
impl grpc_stdio_server::GrpcStdio for Companions {
    type StreamStdioStream = BoxResult<StdioData>;

    /// Nothing is ever sent: logs go to standard error, which the host reads anyway.
    async fn stream_stdio(&self, _: Request<()>) -> Result<Response<Self::StreamStdioStream>, Status> {
        Ok(Response::new(self.open_until_end(None)))
    }
}

#[async_trait]
impl grpc_broker_server::GrpcBroker for Companions {
    type StartStreamStream = Pin<Box<dyn Stream<Item = Result<ConnInfo, Status>> + Send>>;

    /// Providers broker no further connections; what the host announces is read and dropped.
    async fn start_stream(
        &self,
        request: Request<Streaming<ConnInfo>>,
    ) -> Result<Response<Self::StartStreamStream>, Status> {
        let announcements = request.into_inner().filter_map(|_| async { None });
        Ok(Response::new(Box::pin(announcements.take_until(self.ending.clone().cancelled_owned()))))
    }
}
