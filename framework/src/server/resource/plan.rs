//! PlanResourceChange.

use denobridge_core::cty::Value;
use denobridge_core::provider::{PlanResourceChangeRequest, PlanResourceChangeResponse};
use denobridge_core::{Call, Diagnostics, DynamicValue};

use super::{Server, decode, decode_private, identity, protected, validate_config};
use crate::guard::Operation;
use crate::instances::{Instance, Phase};
use crate::mask::Secrets;
use crate::plan::{PlanEdit, PlanInput, PlanKind};

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
    let (type_name, client) = (&request.type_name, request.client_capabilities);
    let entry = server.resource(type_name)?;
    let input = PlanInput {
        config: decode(entry, &request.config, "configuration", type_name)?,
        prior: decode(entry, &request.prior_state, "prior state", type_name)?,
        proposed: decode(entry, &request.proposed_new_state, "proposed new state", type_name)?,
        private: decode_private(&request.prior_private, type_name)?,
    };
    let known = identity::given(entry, request.prior_identity.as_ref(), type_name)?;
    let meta = server.meta(&request.provider_meta)?;
    let context = |call| {
        let context = server.context(call, type_name).with_capabilities(client).with_meta(meta.clone());
        context.with_identity(known.clone()).with_capability(entry.capability.clone())
    };
    let mut diagnostics = Diagnostics::new();
    if !input.proposed.is_null() {
        diagnostics = validate_config(server, call, entry, type_name, &input.config, &context).await;
        if diagnostics.has_errors() {
            return Err(diagnostics);
        }
    }
    let operation = Operation { name: "planning", component: type_name };
    let block = &entry.schema.block;
    let mut secrets = Secrets::of(block, &input.config);
    secrets.add(block, &input.prior);
    let said = |panic: denobridge_core::Diagnostic| server.said(operation, &secrets, panic.into());
    let mut deferred = server.deferred(client);
    if deferred.is_none() && client.deferral_allowed {
        let config = &input.config;
        let defer = |call| async { entry.resource.defer(&context(call), Some(config)).await };
        deferred = server.run(call, operation, &secrets, defer).await.map_err(said)?;
    }
    if deferred.is_none() {
        server.ready(type_name, entry.capability.as_ref())?;
    }
    let prior = input.prior.clone();
    let (edit, more) = server
        .run(call, operation, &secrets, |call| async {
            let mut edit = PlanEdit::start(&entry.rules, input);
            // Of what is put off the host wants to know no more than the framework can tell.
            let more = match deferred {
                Some(_) => Diagnostics::new(),
                None => entry.resource.modify_plan(&context(call), &mut edit).await,
            };
            (edit, more)
        })
        .await
        .map_err(said)?;
    diagnostics.extend(server.said(operation, &secrets, more));
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let (kind, changes) = (edit.kind(), edit.has_changes());
    let (planned, requires_replace, private) = edit.finish();
    // With a replacement the host asks again for the new object; here it is still the old one.
    let rules = identity::Rules { before: known.as_ref(), planned: true };
    let asked = context(call.clone());
    let planned_identity = match (kind, &known) {
        (PlanKind::Create, _) => {
            // One that is not wholly known yet is left out, as the Go framework does: OpenTofu cannot record it.
            let told = identity::of_state(entry, operation, &asked, &planned, rules, &mut diagnostics).await;
            told.filter(Value::is_wholly_known).map(Into::into)
        }
        (_, Some(_)) => request.prior_identity.clone(),
        (PlanKind::Delete, None) => None,
        (PlanKind::Update, None) => {
            identity::of_state(entry, operation, &asked, &prior, rules, &mut diagnostics).await.map(Into::into)
        }
    };
    if changes && deferred.is_none() {
        let instance = Instance::of(type_name, known.as_ref(), &prior);
        server.0.lifecycle.change(call, type_name, instance.as_ref(), operation.name, Phase::Planned, None);
    }
    Ok(PlanResourceChangeResponse {
        planned_state: if planned.is_null() { DynamicValue::from(planned) } else { protected(entry, &planned) },
        requires_replace,
        planned_private: private.encode(),
        diagnostics,
        deferred,
        planned_identity,
        ..PlanResourceChangeResponse::default()
    })
}
