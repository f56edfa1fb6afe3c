//! ApplyResourceChange: creation, update and deletion.

use denobridge_core::cty::Value;
use denobridge_core::provider::{ApplyResourceChangeRequest, ApplyResourceChangeResponse};
use denobridge_core::{Call, Diagnostics, DynamicValue};

use super::{Registered, Server, decode, decode_private, identity, settled};
use crate::context::Context;
use crate::erased::{Create, Delete, Outcome, Update};
use crate::guard::Operation;
use crate::instances::{Instance, Phase};
use crate::mask::Secrets;
use crate::private::PrivateData;

pub(in crate::server) async fn apply(
    server: &Server,
    call: &Call,
    request: ApplyResourceChangeRequest,
) -> ApplyResourceChangeResponse {
    // Should anything go wrong before the resource is asked, the object is as it was.
    let (prior, private) = (request.prior_state.clone(), request.planned_private.clone());
    // A planned identity may have unknown parts, which nothing that exists has.
    let exists = !prior.is_null();
    let identity = request.planned_identity.clone().filter(|_| exists);
    match applied(server, call, request).await {
        Ok(response) => response,
        Err(diagnostics) => ApplyResourceChangeResponse {
            new_state: prior,
            private,
            new_identity: identity,
            diagnostics,
            ..Default::default()
        },
    }
}

/// What an apply is about.
struct Change<'r> {
    server: &'r Server,
    call: &'r Call,
    entry: &'r Registered,
    operation: Operation<'r>,
    prior: Value,
    private: PrivateData,
    /// The identity that was planned; of an object that exists already, the one that it has.
    identity: Option<Value>,
    secrets: Secrets,
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
    let private = decode_private(&request.planned_private, type_name)?;
    let identity = identity::given(entry, request.planned_identity.as_ref(), type_name)?;
    server.ready(type_name, entry.capability.as_ref())?;
    let meta = server.meta(&request.provider_meta)?;
    let context = |call| {
        let context = server.context(call, type_name).with_meta(meta.clone()).with_identity(identity.clone());
        context.with_capability(entry.capability.clone())
    };
    let mut secrets = Secrets::of(&entry.schema.block, &config);
    secrets.add(&entry.schema.block, &prior);
    secrets.add(&entry.schema.block, &planned);
    // What is to be done is told by what was sent, never by what could be made of it.
    let (name, phase) = match (request.prior_state.is_null(), request.planned_state.is_null()) {
        (_, true) => ("deletion", Phase::Deleting),
        (true, false) => ("creation", Phase::Creating),
        (false, false) => ("update", Phase::Updating),
    };
    let operation = Operation { name, component: type_name };
    let instance = Instance::of(type_name, identity.as_ref(), &prior);
    let _turn = server.0.turns.take(instance.as_ref()).await;
    server.0.lifecycle.change(call, type_name, instance.as_ref(), name, phase, None);
    let mut change = Change { server, call, entry, operation, prior, private, identity: identity.clone(), secrets };
    let response = match phase {
        Phase::Deleting => change.delete(&context).await,
        _ => change.make(phase, config, planned, &context).await,
    };
    let done = if phase == Phase::Deleting { Phase::Deleted } else { Phase::Created };
    // An object that was made has a name only now.
    let instance = instance.or_else(|| {
        let state = response.new_state.decode(&entry.ty).ok()?;
        let identity =
            response.new_identity.as_ref().and_then(|identity| identity.decode(&entry.identity.as_ref()?.ty).ok());
        Instance::of(type_name, identity.as_ref(), &state)
    });
    server.0.lifecycle.end(call, type_name, instance.as_ref(), name, done, &response.diagnostics);
    Ok(response)
}

impl Change<'_> {
    async fn delete(&mut self, context: &impl Fn(Call) -> Context) -> ApplyResourceChangeResponse {
        let kept = self.private.clone();
        let request = Delete { prior: self.prior.clone(), private: &kept };
        let handler = |call| async { self.entry.resource.delete(&context(call), request).await };
        let diagnostics =
            self.server.run(self.call, self.operation, &self.secrets, handler).await.unwrap_or_else(Into::into);
        let diagnostics = self.server.said(self.operation, &self.secrets, diagnostics);
        if diagnostics.has_errors() {
            return ApplyResourceChangeResponse {
                new_state: self.prior.clone().into(),
                private: self.private.encode(),
                new_identity: self.identity.clone().map(Into::into),
                diagnostics,
                ..Default::default()
            };
        }
        ApplyResourceChangeResponse {
            new_state: Value::null(self.entry.ty.clone()).into(),
            diagnostics,
            ..Default::default()
        }
    }

    async fn make(
        &mut self,
        phase: Phase,
        config: Value,
        planned: Value,
        context: &impl Fn(Call) -> Context,
    ) -> ApplyResourceChangeResponse {
        let (resource, prior, private) = (&self.entry.resource, self.prior.clone(), &mut self.private);
        let outcome = if phase == Phase::Creating {
            let request = Create { config, planned, private };
            let handler = |call| async { resource.create(&context(call), request).await };
            self.server.run(self.call, self.operation, &self.secrets, handler).await
        } else {
            let request = Update { config, prior, planned, private };
            let handler = |call| async { resource.update(&context(call), request).await };
            self.server.run(self.call, self.operation, &self.secrets, handler).await
        };
        let Outcome { state, mut diagnostics } = outcome.unwrap_or_else(Outcome::failed);
        let before = self.identity.clone().filter(|identity| phase == Phase::Updating && identity.is_wholly_known());
        let mut new_identity = before.clone().map(DynamicValue::from);
        let new_state = match state.filter(|state| !state.is_null()) {
            Some(state) => {
                self.secrets.add(&self.entry.schema.block, &state);
                let rules = identity::Rules { before: before.as_ref(), planned: false };
                let context = context(self.call.clone());
                let identity =
                    identity::of_state(self.entry, self.operation, &context, &state, rules, &mut diagnostics).await;
                new_identity = identity.map(DynamicValue::from).or(new_identity);
                settled(self.entry, self.operation, &state, &mut diagnostics)
            }
            None => {
                if !diagnostics.has_errors() {
                    diagnostics.push(self.operation.error("It returned neither an object nor an error."));
                }
                DynamicValue::from(self.prior.clone())
            }
        };
        ApplyResourceChangeResponse {
            new_state,
            private: self.private.encode(),
            diagnostics: self.server.said(self.operation, &self.secrets, diagnostics),
            new_identity,
            ..Default::default()
        }
    }
}
