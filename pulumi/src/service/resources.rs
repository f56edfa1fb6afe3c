//! Requests about resources.

use std::sync::Arc;

use denobridge_sdk_gen::PropertyPath;
use tokio_util::sync::CancellationToken;

use super::Shared;
use crate::errors::Failure;
use crate::lifecycle::Naming;
use crate::property_value::wire;
use crate::proto::pulumirpc::{
    CheckRequest, CheckResponse, CreateRequest, CreateResponse, DeleteRequest, DiffRequest, DiffResponse, ReadRequest,
    ReadResponse, UpdateRequest, UpdateResponse,
};

fn paths(texts: &[String]) -> Result<Vec<PropertyPath>, Failure> {
    let path = |text: &String| text.parse().map_err(|error| Failure::InvalidRequest(format!("ignoreChanges: {error}")));
    texts.iter().map(path).collect()
}

pub(super) async fn check(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: CheckRequest,
) -> Result<CheckResponse, Failure> {
    let operation = shared.operation("check", token, &request, 0.0).await?;
    let naming = Naming::new(&request, wire::decode(request.olds.clone())?);
    let (inputs, failures) = operation.check(wire::decode(request.news)?, &naming).await?;
    Ok(CheckResponse { inputs: Some(wire::encode(&inputs)), failures })
}

pub(super) async fn diff(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: DiffRequest,
) -> Result<DiffResponse, Failure> {
    let operation = shared.operation("diff", token, &request, 0.0).await?.preview(true);
    let ignored = paths(&request.ignore_changes)?;
    let (outputs, old_inputs) = (wire::decode(request.olds)?, wire::decode(request.old_inputs)?);
    operation.diff(&outputs, &old_inputs, wire::decode(request.news)?, &ignored).await
}

pub(super) async fn create(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: CreateRequest,
) -> Result<CreateResponse, Failure> {
    let operation = shared.operation("create", token, &request, request.timeout).await?.preview(request.preview);
    let created = operation.create(wire::decode(request.properties)?).await?;
    Ok(CreateResponse {
        id: created.id,
        properties: Some(wire::encode(&created.outputs)),
        refresh_before_update: false,
    })
}

pub(super) async fn update(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: UpdateRequest,
) -> Result<UpdateResponse, Failure> {
    let operation = shared.operation("update", token, &request, request.timeout).await?.preview(request.preview);
    let ignored = paths(&request.ignore_changes)?;
    let outputs = operation.update(&wire::decode(request.olds)?, wire::decode(request.news)?, &ignored).await?;
    Ok(UpdateResponse { properties: Some(wire::encode(&outputs)), refresh_before_update: false })
}

pub(super) async fn read(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: ReadRequest,
) -> Result<ReadResponse, Failure> {
    let operation = shared.operation("read", token, &request, request.timeout).await?;
    let (properties, inputs) = (wire::decode(request.properties)?, wire::decode(request.inputs)?);
    Ok(match operation.read(&request.id, &properties, &inputs).await? {
        // Neither id nor properties: that is how the engine is told that there is nothing.
        None => ReadResponse::default(),
        Some(found) => ReadResponse {
            id: found.applied.id,
            properties: Some(wire::encode(&found.applied.outputs)),
            inputs: Some(wire::encode(&found.inputs)),
            refresh_before_update: false,
        },
    })
}

pub(super) async fn delete(
    shared: Arc<Shared>,
    token: CancellationToken,
    request: DeleteRequest,
) -> Result<(), Failure> {
    let operation = shared.operation("delete", token, &request, request.timeout).await?;
    operation.delete(&wire::decode(request.properties)?).await
}
