//! Delete: plan the destruction if the provider wants to, and carry it out.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::planning::{self, Action, rules};
use denobridge_core::provider::{ApplyResourceChangeRequest, PlanResourceChangeRequest};

use super::{CAPABILITIES, Operation};
use crate::errors::Failure;
use crate::property_value::PropertyMap;

impl Operation {
    pub(crate) async fn delete(&self, outputs: &PropertyMap) -> Result<(), Failure> {
        let prior = self.prior(outputs).await?;
        let ty = self.schema()?.implied_type();
        let nothing = Value::null(ty.clone());
        let mut planned_private = prior.private.clone();
        if self.package.capabilities.plan_destroy {
            let request = PlanResourceChangeRequest {
                type_name: Arc::clone(&self.type_name),
                prior_state: prior.value.clone().into(),
                proposed_new_state: nothing.clone().into(),
                config: nothing.clone().into(),
                prior_private: prior.private.clone(),
                client_capabilities: CAPABILITIES,
                ..PlanResourceChangeRequest::default()
            };
            let answer = self.ask(|provider, call| provider.plan_resource_change(call, request)).await?;
            self.settle(&answer.diagnostics)?;
            self.require(&rules::deferral(false, answer.deferred))?;
            let planned = self.decode(&answer.planned_state, &ty)?;
            self.require(&rules::plan_result(&self.schema()?.block, &prior.value, &nothing, &planned))?;
            planned_private = answer.planned_private;
        }
        let request = ApplyResourceChangeRequest {
            type_name: Arc::clone(&self.type_name),
            prior_state: prior.value.into(),
            planned_state: nothing.clone().into(),
            config: nothing.into(),
            planned_private,
            ..ApplyResourceChangeRequest::default()
        };
        let answer = self.ask(|provider, call| provider.apply_resource_change(call, request)).await?;
        self.settle(&answer.diagnostics)?;
        let left = self.decode(&answer.new_state, &ty)?;
        self.require(&rules::known_after_apply(Action::Delete, &planning::unknowns_as_null(&left)))
    }
}
