//! The engine's own service, which plugins log to. Nothing is kept of what they say.

use anyhow::{Context, Result};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::wire::engine_server::{Engine, EngineServer};
use crate::wire::*;

struct Deaf;

/// Serves until this process ends, and returns where.
pub async fn listen() -> Result<String> {
    let incoming =
        TcpIncoming::bind("127.0.0.1:0".parse()?).map_err(|error| anyhow::anyhow!("cannot listen: {error}"))?;
    let address = incoming.local_addr().context("no address")?.to_string();
    tokio::spawn(Server::builder().serve_with_incoming(EngineServer::new(Deaf), incoming));
    Ok(address)
}

#[tonic::async_trait]
impl Engine for Deaf {
    async fn log(&self, _: Request<LogRequest>) -> Result<Response<()>, Status> {
        Ok(Response::new(()))
    }

    async fn get_root_resource(
        &self,
        _: Request<GetRootResourceRequest>,
    ) -> Result<Response<GetRootResourceResponse>, Status> {
        Err(Status::unimplemented("GetRootResource"))
    }

    async fn set_root_resource(
        &self,
        _: Request<SetRootResourceRequest>,
    ) -> Result<Response<SetRootResourceResponse>, Status> {
        Err(Status::unimplemented("SetRootResource"))
    }

    async fn start_debugging(&self, _: Request<StartDebuggingRequest>) -> Result<Response<()>, Status> {
        Err(Status::unimplemented("StartDebugging"))
    }

    async fn require_pulumi_version(
        &self,
        _: Request<RequirePulumiVersionRequest>,
    ) -> Result<Response<RequirePulumiVersionResponse>, Status> {
        Err(Status::unimplemented("RequirePulumiVersion"))
    }
}
