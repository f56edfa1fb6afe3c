//! ReadResource.

use denobridge_core::cty::Value;
use denobridge_core::provider::{ReadResourceRequest, ReadResourceResponse};
use denobridge_core::{Call, Diagnostics, DynamicValue};

use super::{Server, decode, decode_private, settled};
use crate::erased::Read;
use crate::guard::Operation;

pub(in crate::server) async fn read(
    server: &Server,
    call: &Call,
    request: ReadResourceRequest,
) -> ReadResourceResponse {
    // Private data that do not come back are erased, so they come back whatever happens.
    let (current, private) = (request.current_state.clone(), request.private.clone());
    match found(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => ReadResourceResponse { new_state: current, private, diagnostics, ..Default::default() },
    }
}

async fn found(
    server: &Server,
    call: &Call,
    request: ReadResourceRequest,
) -> Result<ReadResourceResponse, Diagnostics> {
    let type_name = &request.type_name;
    let entry = server.resource(type_name)?;
    let current = decode(entry, &request.current_state, "state", type_name)?;
    let mut private = decode_private(&request.private, type_name)?;
    if current.is_null() {
        return Ok(ReadResourceResponse { new_state: current.into(), private: request.private, ..Default::default() });
    }
    let operation = Operation { name: "read", component: type_name };
    let read = Read { state: current.clone(), private: &mut private };
    let context = |call| server.context(call, type_name).with_capabilities(request.client_capabilities);
    let outcome =
        server.run(call, operation, |call| async move { entry.resource.read(&context(call), read).await }).await?;
    let mut diagnostics = outcome.diagnostics;
    let new_state = match outcome.state.filter(|state| !state.is_null()) {
        Some(state) => settled(entry, operation, &state, &mut diagnostics),
        // That nothing is said of the object because of an error does not mean that it is gone.
        None if diagnostics.has_errors() => DynamicValue::from(current),
        None => DynamicValue::from(Value::null(entry.ty.clone())),
    };
    Ok(ReadResourceResponse { new_state, private: private.encode(), diagnostics, ..Default::default() })
}
