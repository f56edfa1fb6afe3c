//! ApplyResourceChange: creation, update and deletion.

use denobridge_core::cty::Value;
use denobridge_core::provider::{ApplyResourceChangeRequest, ApplyResourceChangeResponse};
use denobridge_core::{Call, Diagnostics, DynamicValue};

use super::{Registered, Server, decode, decode_private, settled};
use crate::erased::{Create, Delete, Outcome, Update};
use crate::guard::Operation;
use crate::private::PrivateData;

pub(in crate::server) async fn apply(
    server: &Server,
    call: &Call,
    request: ApplyResourceChangeRequest,
) -> ApplyResourceChangeResponse {
    // Should anything go wrong before the resource is asked, the object is as it was.
    let (prior, private) = (request.prior_state.clone(), request.planned_private.clone());
    match applied(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => {
            ApplyResourceChangeResponse { new_state: prior, private, diagnostics, ..Default::default() }
        }
    }
}

async fn applied(
    server: &Server,
    call: &Call,
    request: ApplyResourceChangeRequest,
) -> Result<ApplyResourceChangeResponse, Diagnostics> {
    let type_name = &request.type_name;
    let entry = server.resource(type_name)?;
    let prior = decode(entry, &request.prior_state, "prior state", type_name)?;
    let planned = decode(entry, &request.planned_state, "planned state", type_name)?;
    let config = decode(entry, &request.config, "configuration", type_name)?;
    let mut private = decode_private(&request.planned_private, type_name)?;
    let context = |call| server.context(call, type_name);
    // What is to be done is told by what was sent, never by what could be made of it.
    let (name, outcome) = match (request.prior_state.is_null(), request.planned_state.is_null()) {
        (_, true) => {
            let operation = Operation { name: "deletion", component: type_name };
            let kept = private.clone();
            let request = Delete { prior: prior.clone(), private: &kept };
            let diagnostics = server
                .run(call, operation, |call| async move { entry.resource.delete(&context(call), request).await })
                .await
                .unwrap_or_else(Into::into);
            return Ok(deleted(&prior, &private, diagnostics));
        }
        (true, false) => {
            let request = Create { config, planned, private: &mut private };
            let operation = Operation { name: "creation", component: type_name };
            let outcome = server
                .run(call, operation, |call| async move { entry.resource.create(&context(call), request).await })
                .await;
            (operation.name, outcome)
        }
        (false, false) => {
            let request = Update { config, prior: prior.clone(), planned, private: &mut private };
            let operation = Operation { name: "update", component: type_name };
            let outcome = server
                .run(call, operation, |call| async move { entry.resource.update(&context(call), request).await })
                .await;
            (operation.name, outcome)
        }
    };
    let operation = Operation { name, component: type_name };
    let outcome = outcome.unwrap_or_else(Outcome::failed);
    Ok(changed(entry, operation, &prior, &private, outcome))
}

fn deleted(prior: &Value, private: &PrivateData, diagnostics: Diagnostics) -> ApplyResourceChangeResponse {
    if diagnostics.has_errors() {
        return ApplyResourceChangeResponse {
            new_state: prior.clone().into(),
            private: private.encode(),
            diagnostics,
            ..Default::default()
        };
    }
    ApplyResourceChangeResponse { new_state: Value::null(prior.ty()).into(), diagnostics, ..Default::default() }
}

fn changed(
    entry: &Registered,
    operation: Operation<'_>,
    prior: &Value,
    private: &PrivateData,
    outcome: Outcome,
) -> ApplyResourceChangeResponse {
    let Outcome { state, mut diagnostics } = outcome;
    let new_state = match state.filter(|state| !state.is_null()) {
        Some(state) => settled(entry, operation, &state, &mut diagnostics),
        None => {
            if !diagnostics.has_errors() {
                diagnostics.push(operation.error("It returned neither an object nor an error."));
            }
            DynamicValue::from(prior.clone())
        }
    };
    ApplyResourceChangeResponse { new_state, private: private.encode(), diagnostics, ..Default::default() }
}
