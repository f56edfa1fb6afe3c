//! ReadResource.

use denobridge_core::cty::Value;
use denobridge_core::provider::{ReadResourceRequest, ReadResourceResponse};
use denobridge_core::{Call, Diagnostics, DynamicValue};

use super::{Server, decode, decode_private, identity, settled};
use crate::erased::Read;
use crate::guard::Operation;
use crate::instances::{Instance, Phase};
use crate::mask::Secrets;

pub(in crate::server) async fn read(
    server: &Server,
    call: &Call,
    request: ReadResourceRequest,
) -> ReadResourceResponse {
    // Private data and identity that do not come back are erased, so they come back whatever happens.
    let (current, private, identity) =
        (request.current_state.clone(), request.private.clone(), request.current_identity.clone());
    match found(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => ReadResourceResponse {
            new_state: current,
            private,
            new_identity: identity,
            diagnostics,
            ..Default::default()
        },
    }
}

async fn found(
    server: &Server,
    call: &Call,
    request: ReadResourceRequest,
) -> Result<ReadResourceResponse, Diagnostics> {
    let (type_name, client) = (&request.type_name, request.client_capabilities);
    let entry = server.resource(type_name)?;
    let current = decode(entry, &request.current_state, "state", type_name)?;
    let mut private = decode_private(&request.private, type_name)?;
    let known = identity::given(entry, request.current_identity.as_ref(), type_name)?;
    let unchanged = |deferred| ReadResourceResponse {
        new_state: current.clone().into(),
        private: request.private.clone(),
        new_identity: request.current_identity.clone(),
        deferred,
        ..Default::default()
    };
    if current.is_null() {
        return Ok(unchanged(None));
    }
    if let Some(deferred) = server.deferred(client) {
        return Ok(unchanged(Some(deferred)));
    }
    server.ready(type_name, entry.capability.as_ref())?;
    let meta = server.meta(&request.provider_meta)?;
    let operation = Operation { name: "read", component: type_name };
    let mut secrets = Secrets::of(&entry.schema.block, &current);
    let context = |call| {
        let context = server.context(call, type_name).with_capabilities(client).with_meta(meta.clone());
        context.with_identity(known.clone()).with_capability(entry.capability.clone())
    };
    let instance = Instance::of(type_name, known.as_ref(), &current);
    let _turn = server.0.turns.take(instance.as_ref()).await;
    if client.deferral_allowed {
        let defer = |call| async { entry.resource.defer(&context(call), Some(&current)).await };
        let deferred = server.run(call, operation, &secrets, defer).await;
        let deferred = deferred.map_err(|panic| server.said(operation, &secrets, panic.into()))?;
        if deferred.is_some() {
            return Ok(unchanged(deferred));
        }
    }
    let outcome = {
        let read = Read { state: current.clone(), private: &mut private };
        server.run(call, operation, &secrets, |call| async { entry.resource.read(&context(call), read).await }).await
    };
    let outcome = outcome.map_err(|panic| server.said(operation, &secrets, panic.into()));
    if let Err(diagnostics) = &outcome {
        server.0.lifecycle.end(call, type_name, instance.as_ref(), operation.name, Phase::Created, diagnostics);
    }
    let outcome = outcome?;
    let mut diagnostics = outcome.diagnostics;
    let (mut new_identity, mut phase) = (request.current_identity.clone(), Phase::Created);
    let new_state = match outcome.state.filter(|state| !state.is_null()) {
        Some(state) => {
            secrets.add(&entry.schema.block, &state);
            let rules = identity::Rules { before: known.as_ref(), planned: false };
            let context = context(call.clone());
            let found = identity::of_state(entry, operation, &context, &state, rules, &mut diagnostics).await;
            new_identity = found.map(DynamicValue::from).or(new_identity);
            settled(entry, operation, &state, &mut diagnostics)
        }
        // That nothing is said of the object because of an error does not mean that it is gone.
        None if diagnostics.has_errors() => DynamicValue::from(current),
        None => {
            phase = Phase::Deleted;
            DynamicValue::from(Value::null(entry.ty.clone()))
        }
    };
    let diagnostics = server.said(operation, &secrets, diagnostics);
    server.0.lifecycle.end(call, type_name, instance.as_ref(), operation.name, phase, &diagnostics);
    Ok(ReadResourceResponse { new_state, private: private.encode(), diagnostics, deferred: None, new_identity })
}
