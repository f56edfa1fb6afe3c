//! Delete: plan the destruction if the provider wants to, and carry it out.

use denobridge_core::cty::Value;
use denobridge_core::planning::{self, Action, rules};
use denobridge_core::provider::ApplyResourceChangeRequest;

use super::Operation;
use super::prior::Prior;
use crate::errors::Failure;
use crate::property_value::PropertyMap;

impl Operation {
    pub(crate) async fn delete(&self, outputs: &PropertyMap) -> Result<(), Failure> {
        if self.is_action() {
            // What an action has done stays done.
            return Ok(());
        }
        self.learn(&[outputs]);
        self.require_configured()?;
        let prior = self.prior(outputs).await?;
        let schema = self.schema()?;
        let ty = schema.implied_type();
        // There is no configuration to hold the limit: providers look for it in the state.
        let value = self.with_limit(&schema.block, &prior.value).unwrap_or_else(|| prior.value.clone());
        let prior = Prior { value, ..prior };
        let nothing = Value::null(ty.clone());
        let mut planned_private = prior.private.clone();
        let mut planned_identity = None;
        if self.package.capabilities.plan_destroy {
            let request = self.plan_request(&prior, nothing.clone(), nothing.clone());
            let answer = self.ask(|provider, call| provider.plan_resource_change(call, request)).await?;
            self.settle(&answer.diagnostics)?;
            self.require(&rules::deferral(false, answer.deferred))?;
            let planned = self.decode(&answer.planned_state, &ty)?;
            self.require(&rules::plan_result(&schema.block, &prior.value, &nothing, &planned))?;
            planned_private = answer.planned_private;
            planned_identity = answer.planned_identity;
        }
        let request = self.apply_request(&prior, nothing.clone(), nothing, planned_private);
        let request = ApplyResourceChangeRequest { planned_identity, ..request };
        let answer = self.ask(|provider, call| provider.apply_resource_change(call, request)).await?;
        self.settle(&answer.diagnostics)?;
        let left = self.decode(&answer.new_state, &ty)?;
        self.require(&rules::known_after_apply(Action::Delete, &planning::unknowns_as_null(&left)))
    }
}
