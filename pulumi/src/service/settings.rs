//! Requests about the provider's own configuration.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use tokio_util::sync::CancellationToken;

use super::Shared;
use crate::errors::Failure;
use crate::lifecycle::diff_config;
use crate::property_value::wire;
use crate::proto::pulumirpc::{
    CheckRequest, CheckResponse, ConfigureRequest, ConfigureResponse, DiffRequest, DiffResponse,
};

pub(super) async fn check(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: CheckRequest,
) -> Result<CheckResponse, Failure> {
    let operation = shared.operation("check of the configuration", token, &request, 0.0).await?;
    let (inputs, failures) = operation.check_config(wire::decode(request.news)?).await?;
    Ok(CheckResponse { inputs: Some(wire::encode(&inputs)), failures })
}

pub(super) async fn diff(request: DiffRequest) -> Result<DiffResponse, Failure> {
    Ok(diff_config(&wire::decode(request.old_inputs)?, &wire::decode(request.news)?))
}

pub(super) async fn configure(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: ConfigureRequest,
) -> Result<ConfigureResponse, Failure> {
    let operation = shared.operation("configure", token, &request, 0.0).await?;
    operation.configure(wire::decode(request.args)?).await?;
    shared.is_configured.store(true, Ordering::Relaxed);
    // What the handshake has said already, for an engine that has not made one.
    Ok(ConfigureResponse {
        accept_secrets: true,
        supports_preview: true,
        accept_resources: true,
        supports_autonaming_configuration: true,
        ..ConfigureResponse::default()
    })
}
