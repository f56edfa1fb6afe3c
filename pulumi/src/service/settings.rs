//! Requests about the provider's own configuration.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::Shared;
use crate::errors::Failure;
use crate::lifecycle::{Operation, Subject, diff_config};
use crate::property_value::wire;
use crate::proto::pulumirpc::{
    CheckRequest, CheckResponse, ConfigureRequest, ConfigureResponse, DiffRequest, DiffResponse,
};

async fn operation(
    shared: &Shared,
    token: CancellationToken,
    verb: &'static str,
    subject: Subject,
) -> Result<Operation, Failure> {
    let call = shared.general_call(token.clone());
    // An older engine does not say in Configure which provider it means.
    let package = match subject.package() {
        "" => shared.packages.latest(&call).await?,
        name => shared.packages.named(&call, Some(name)).await?,
    };
    Ok(Operation::on_provider(verb, package, subject, shared.surroundings(token, 0.0)))
}

pub(super) async fn check(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: CheckRequest,
) -> Result<CheckResponse, Failure> {
    let subject = Subject::new(request.urn, request.name, request.r#type);
    let operation = operation(&shared, token, "check of the configuration", subject).await?;
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
    let text = Option::unwrap_or_default;
    let subject = Subject::new(text(request.urn), text(request.name), text(request.r#type));
    let operation = operation(&shared, token, "configure", subject).await?;
    operation.configure(wire::decode(request.args)?).await?;
    // What the handshake has said already, for an engine that has not made one.
    Ok(ConfigureResponse {
        accept_secrets: true,
        supports_preview: true,
        accept_resources: true,
        ..ConfigureResponse::default()
    })
}
