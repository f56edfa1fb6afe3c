//! GenerateResourceConfig.

use denobridge_core::provider::{GenerateResourceConfigRequest, GenerateResourceConfigResponse};
use denobridge_core::{Call, Diagnostics};

use super::{Server, decode, settled};
use crate::guard::Operation;
use crate::mask::Secrets;

pub(in crate::server) async fn generate(
    server: &Server,
    call: &Call,
    request: GenerateResourceConfigRequest,
) -> GenerateResourceConfigResponse {
    match generated(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => GenerateResourceConfigResponse { diagnostics, ..Default::default() },
    }
}

async fn generated(
    server: &Server,
    call: &Call,
    request: GenerateResourceConfigRequest,
) -> Result<GenerateResourceConfigResponse, Diagnostics> {
    let type_name = &request.type_name;
    let entry = server.resource(type_name)?;
    let state = decode(entry, &request.state, "state", type_name)?;
    let operation = Operation { name: "writing of a configuration", component: type_name };
    let secrets = Secrets::of(&entry.schema.block, &state);
    let context = |call| server.context(call, type_name).with_capability(entry.capability.clone());
    let handler = |call| async { entry.resource.generate_config(&context(call), state).await };
    let outcome = server.run(call, operation, &secrets, handler).await;
    let outcome = outcome.map_err(|panic| server.said(operation, &secrets, panic.into()))?;
    let mut diagnostics = outcome.diagnostics;
    let config = outcome.state.map(|config| settled(entry, operation, &config, &mut diagnostics));
    if config.is_none() && !diagnostics.has_errors() {
        diagnostics.push(operation.error("It returned neither a configuration nor an error."));
    }
    let diagnostics = server.said(operation, &secrets, diagnostics);
    Ok(GenerateResourceConfigResponse { config: config.unwrap_or_default(), diagnostics })
}
