//! Actions: under Pulumi, resources that do something when they are created and when their `triggers` change.
//!
//! There is no object behind such a resource. Its state is its inputs, so that the next run has something to compare
//! `triggers` with. An action that fails leaves the state as it was before, or none: the next run does it again.

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::planning::rules;
use denobridge_core::provider::{InvokeActionEvent, InvokeActionRequest, PlanActionRequest};
use denobridge_core::{CallError, Diagnostics, DynamicValue};
use denobridge_sdk_gen::{ComponentKind, Field, PropertyPath, PropertyStep};
use futures::StreamExt as _;

use super::check::take_own;
use super::detailed_diff::{Change, DetailedDiff};
use super::plan::Applied;
use super::prior::Prior;
use super::read::Found;
use super::{CAPABILITIES, Operation};
use crate::assets;
use crate::errors::Failure;
use crate::property_value::{PropertyMap, PropertyValue};
use crate::proto::pulumirpc::DiffResponse;
use crate::proto::pulumirpc::diff_response::DiffChanges;
use crate::state;
use crate::translate::{inputs, outputs};

impl Operation {
    pub(crate) fn is_action(&self) -> bool {
        self.kind() == Some(ComponentKind::Action)
    }

    /// Runs the action, unless this is a preview.
    pub(crate) async fn create_action(&self, inputs: PropertyMap) -> Result<Applied, Failure> {
        let wanted = self.wanted(inputs).await?;
        self.run_action(&wanted.config).await?;
        self.recorded(wanted)
    }

    /// Runs the action if its triggers have changed. Other changes are recorded for the next time.
    pub(crate) async fn update_action(&self, state: &PropertyMap, inputs: PropertyMap) -> Result<Applied, Failure> {
        let wanted = self.wanted(inputs).await?;
        let triggered = |field: &Field| present(state, &field.pulumi) != present(&wanted.own, &field.pulumi);
        if self.own_names().fields().any(triggered) {
            self.run_action(&wanted.config).await?;
        }
        self.recorded(wanted)
    }

    /// What would change. Nothing replaces an action.
    pub(crate) async fn diff_action(
        &self,
        state: &PropertyMap,
        old_inputs: &PropertyMap,
        inputs: PropertyMap,
        ignored: &[PropertyPath],
    ) -> Result<DiffResponse, Failure> {
        let own = self.wanted(inputs.clone()).await?.own;
        let own_names = self.own_names();
        let mut detailed = DetailedDiff::default();
        let mut compare = |field: &Field, before: &PropertyMap, after: &PropertyMap| {
            let path: PropertyPath = [PropertyStep::Name(Arc::clone(&field.pulumi))].into_iter().collect();
            let change = match (present(before, &field.pulumi), present(after, &field.pulumi)) {
                (before, after) if before == after => return,
                (None, _) => Change::Add,
                (_, None) => Change::Delete,
                _ => Change::Update,
            };
            if !ignored.iter().any(|ignored| ignored.contains(&path)) {
                detailed.add(path, change, false, true);
            }
        };
        // The state says what has last triggered the action; write-only properties are in the inputs alone.
        own_names.fields().for_each(|field| compare(field, state, &own));
        self.fields().properties().for_each(|field| compare(field, old_inputs, &inputs));
        let changes = if detailed.is_empty() { DiffChanges::DiffNone } else { DiffChanges::DiffSome };
        Ok(DiffResponse {
            diffs: detailed.properties(),
            changes: changes.into(),
            detailed_diff: detailed.into_wire(),
            has_detailed_diff: true,
            ..DiffResponse::default()
        })
    }

    /// A refresh finds what is recorded; nothing else can be read of an action.
    pub(crate) fn read_action(&self, id: &str, state: PropertyMap, inputs: PropertyMap) -> Result<Found, Failure> {
        if !state::is_ours(&state) {
            return Err(
                self.failed(&["an action is nothing that exists: it cannot be imported or looked up".to_owned()])
            );
        }
        Ok(Found { applied: Applied { id: id.to_owned(), outputs: state, left_out: Vec::new() }, inputs })
    }

    /// Inputs as the provider takes them.
    async fn wanted(&self, mut inputs: PropertyMap) -> Result<Wanted, Failure> {
        self.learn(&[&inputs]);
        assets::load(&mut inputs).await?;
        let own_names = self.own_names();
        let own = take_own(&mut inputs, &own_names);
        self.take_unknown(&mut inputs);
        let (own, mut errors) = inputs::root(&own, &own_names, inputs::Origin::Program);
        let (config, further) = self.config(&inputs);
        errors.extend(further);
        if !errors.is_empty() {
            let reasons: Vec<_> = errors.iter().map(|error| format!("property `{}`: {error}", error.path())).collect();
            return Err(self.failed(&reasons));
        }
        // By way of Terraform's values, which drops what a state cannot hold: assets, dependencies.
        Ok(Wanted { config, own: outputs::for_programs(outputs::root(&own, &own_names)) })
    }

    /// Asks whether the action could run, and runs it unless this is a preview.
    async fn run_action(&self, config: &Value) -> Result<(), Failure> {
        let (type_name, config) = (Arc::clone(&self.type_name), DynamicValue::from(config.clone()));
        if self.is_preview() && self.is_unconfigured() {
            return Ok(());
        }
        let request = PlanActionRequest {
            type_name: Arc::clone(&type_name),
            config: config.clone(),
            client_capabilities: CAPABILITIES,
        };
        let answer = self.ask(|provider, call| provider.plan_action(call, request)).await?;
        self.settle(&answer.diagnostics)?;
        self.require(&rules::deferral(false, answer.deferred))?;
        if self.is_preview() {
            return Ok(());
        }
        self.require_configured()?;
        let request = InvokeActionRequest { type_name, config, client_capabilities: CAPABILITIES };
        let said = self.ask(|provider, call| {
            let answer = provider.invoke_action(call, request);
            async move {
                let mut events = answer.await?.events;
                while let Some(event) = events.next().await {
                    match event {
                        InvokeActionEvent::Progress(message) => call.progress_sink().progress(&message),
                        InvokeActionEvent::Completed(diagnostics) => return Ok(diagnostics),
                    }
                }
                let message = "the action ended without saying how".to_owned();
                Err(CallError::Internal { message })
            }
        });
        self.completed(&said.await?)
    }

    fn completed(&self, said: &Diagnostics) -> Result<(), Failure> {
        self.warn(said);
        let mut reasons = self.reasons(said);
        if reasons.is_empty() {
            return Ok(());
        }
        reasons.push("The action is not recorded as done: the next `pulumi up` runs it again.".to_owned());
        Err(self.failed(&reasons))
    }

    /// The state of an action: what it has run with.
    fn recorded(&self, wanted: Wanted) -> Result<Applied, Failure> {
        let Wanted { config, own } = wanted;
        let mut applied = if self.is_preview() {
            let outputs = outputs::for_programs(outputs::root(&config, self.fields()));
            Applied { id: self.id_of(&config), outputs, left_out: Vec::new() }
        } else {
            self.kept(&Prior::new(config, Bytes::new()))?
        };
        applied.outputs.extend(own);
        Ok(applied)
    }
}

/// What a program wants an action to do.
struct Wanted {
    config: Value,
    /// What the provider does not get: the triggers.
    own: PropertyMap,
}

/// A property for comparison: secrecy does not count, and null is the same as nothing.
fn present(properties: &PropertyMap, name: &str) -> Option<PropertyValue> {
    properties.get(name).filter(|value| !value.is_null()).map(PropertyValue::without_secrets)
}
