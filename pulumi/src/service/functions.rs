//! Requests about functions.

use std::sync::Arc;

use denobridge_sdk_gen::ComponentKind;
use tokio_util::sync::CancellationToken;

use super::Shared;
use crate::errors::Failure;
use crate::lifecycle::{Answer, Operation};
use crate::property_value::wire;
use crate::proto::pulumirpc::{InvokeRequest, InvokeResponse};

pub(super) async fn invoke(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: InvokeRequest,
) -> Result<InvokeResponse, Failure> {
    let package = request.tok.split(':').next().unwrap_or_default();
    let package = shared.packages.named(&shared.general_call(token.clone()), Some(package)).await?;
    let operation = Operation::on_function(package, request.tok, shared.surroundings(token, 0.0))?;
    let operation = operation.preview(request.preview);
    // A provider's functions work without its settings.
    if operation.kind() != Some(ComponentKind::Function) {
        shared.require_configured()?;
    }
    Ok(match operation.invoke(&wire::decode(request.args)?, &shared.leases).await? {
        Answer::Result(result) => InvokeResponse { r#return: Some(wire::encode(&result)), failures: Vec::new() },
        Answer::Refused(failures) => InvokeResponse { r#return: None, failures },
    })
}
