//! MoveResourceState: objects of another type become objects of this one.

use denobridge_core::provider::{MoveResourceStateRequest, MoveResourceStateResponse};
use denobridge_core::{Call, Diagnostic, Diagnostics};

use super::upgrade::parse_json;
use super::{Server, identity, settled};
use crate::erased::Move;
use crate::guard::Operation;
use crate::mask::Secrets;
use crate::private::PrivateData;

pub(in crate::server) async fn take_over(
    server: &Server,
    call: &Call,
    request: MoveResourceStateRequest,
) -> MoveResourceStateResponse {
    match moved(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => MoveResourceStateResponse { diagnostics, ..Default::default() },
    }
}

async fn moved(
    server: &Server,
    call: &Call,
    request: MoveResourceStateRequest,
) -> Result<MoveResourceStateResponse, Diagnostics> {
    let type_name = &request.target_type_name;
    let entry = server.resource(type_name)?;
    let (source, address) = (&request.source_type_name, &request.source_provider_address);
    let version = request.source_schema_version;
    if !entry.move_sources.iter().any(|wanted| wanted.fits(source, address, version)) {
        let detail = format!(
            "The provider cannot make a {type_name} of a {source} (schema version {version}) of the provider {address}."
        );
        return Err(Diagnostic::error("The resource cannot be moved", detail).into());
    }
    let state = parse_json(&request.source_state, &format!("The stored state of a {source}"))?;
    let identity = match &request.source_identity.json {
        json if json.is_empty() => None,
        _ => Some(parse_json(&request.source_identity, &format!("The stored identity of a {source}"))?),
    };
    let mut secrets = Secrets::default();
    secrets.add_stored(&entry.schema.block, &state);
    let mut private = PrivateData::default();
    let operation = Operation { name: "move", component: type_name };
    let context = |call| server.context(call, type_name).with_capability(entry.capability.clone());
    let outcome = {
        let request = Move {
            provider_address: address,
            type_name: source,
            schema_version: version,
            state,
            identity,
            source_private: request.source_private.clone(),
            private: &mut private,
        };
        let handler = |call| async { entry.resource.take_over(&context(call), request).await };
        server.run(call, operation, &secrets, handler).await
    };
    let outcome = outcome.map_err(|panic| server.said(operation, &secrets, panic.into()))?;
    let mut diagnostics = outcome.diagnostics;
    let (mut target_state, mut target_identity) = Default::default();
    match outcome.state.filter(|state| !state.is_null()) {
        _ if diagnostics.has_errors() => {}
        Some(state) => {
            secrets.add(&entry.schema.block, &state);
            target_state = settled(entry, operation, &state, &mut diagnostics);
            let rules = identity::Rules { before: None, planned: false };
            target_identity =
                identity::of_state(entry, operation, &context(call.clone()), &state, rules, &mut diagnostics).await;
        }
        None => diagnostics.push(operation.error("It returned neither an object nor an error.")),
    }
    Ok(MoveResourceStateResponse {
        target_state,
        diagnostics: server.said(operation, &secrets, diagnostics),
        target_private: private.encode(),
        target_identity: target_identity.map(Into::into),
    })
}
