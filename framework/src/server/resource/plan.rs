//! PlanResourceChange.

use denobridge_core::provider::{PlanResourceChangeRequest, PlanResourceChangeResponse};
use denobridge_core::{Call, Diagnostics, DynamicValue};

use super::{Server, decode, decode_private, protected, validate_config};
use crate::guard::Operation;
use crate::plan::{PlanEdit, PlanInput};

pub(in crate::server) async fn plan(
    server: &Server,
    call: &Call,
    request: PlanResourceChangeRequest,
) -> PlanResourceChangeResponse {
    match planned(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => PlanResourceChangeResponse { diagnostics, ..Default::default() },
    }
}

async fn planned(
    server: &Server,
    call: &Call,
    request: PlanResourceChangeRequest,
) -> Result<PlanResourceChangeResponse, Diagnostics> {
    let type_name = &request.type_name;
    let entry = server.resource(type_name)?;
    let input = PlanInput {
        config: decode(entry, &request.config, "configuration", type_name)?,
        prior: decode(entry, &request.prior_state, "prior state", type_name)?,
        proposed: decode(entry, &request.proposed_new_state, "proposed new state", type_name)?,
        private: decode_private(&request.prior_private, type_name)?,
    };
    let context = |call| {
        let meta = request.provider_meta.clone();
        let meta = server.schema.provider_meta.as_ref().and_then(|schema| meta.decode(&schema.implied_type()).ok());
        server.context(call, type_name).with_capabilities(request.client_capabilities).with_meta(meta)
    };
    let mut diagnostics = Diagnostics::new();
    if !input.proposed.is_null() {
        diagnostics = validate_config(server, call, entry, type_name, &input.config, context).await;
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
    }
    let operation = Operation { name: "planning", component: type_name };
    let (edit, more) = server
        .run(call, operation, |call| async move {
            let mut edit = PlanEdit::start(&entry.rules, input);
            let diagnostics = entry.resource.modify_plan(&context(call), &mut edit).await;
            (edit, diagnostics)
        })
        .await?;
    diagnostics.extend(more);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let (planned, requires_replace, private) = edit.finish();
    Ok(PlanResourceChangeResponse {
        planned_state: if planned.is_null() { DynamicValue::from(planned) } else { protected(entry, &planned) },
        requires_replace,
        planned_private: private.encode(),
        diagnostics,
        ..PlanResourceChangeResponse::default()
    })
}
