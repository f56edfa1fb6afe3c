//! Planning and applying a change through the seam, with the checks that Terraform core makes of each answer.

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::cty::{Path, Value, ValueKind};
use denobridge_core::planning::{self, Action, rules};
use denobridge_core::provider::{ApplyResourceChangeRequest, PlanResourceChangeRequest};
use denobridge_core::schema::Block;
use denobridge_sdk_gen::{ObjectNames, ResourceId};

use super::prior::Prior;
use super::{CAPABILITIES, Operation, timeouts};
use crate::errors::{Failure, Incomplete};
use crate::property_value::{PropertyMap, wire};
use crate::state::{self, Kept};
use crate::translate::{align, outputs};

/// A plan that passed the checks.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) prior: Prior,
    pub(crate) config: Value,
    pub(crate) planned: Value,
    pub(crate) action: Action,
    /// The paths that force a replacement, of those the provider named.
    pub(crate) requires_replace: Vec<Path>,
    /// What the program has said of `timeouts`, if the user's limit was filled in there.
    pub(super) timeouts: Option<Value>,
    pub(super) private: Bytes,
    /// What the identity will be, as far as it is known; may be unknown in parts.
    pub(super) identity: Option<Value>,
    pub(super) legacy: bool,
}

impl Operation {
    /// Plans the change from `prior` to what `config` wants.
    pub(crate) async fn plan(&self, prior: Prior, config: Value) -> Result<Plan, Failure> {
        let schema = self.schema()?;
        let block = &schema.block;
        let config = planning::unset_computed_blocks(block, &config);
        if self.is_unconfigured() {
            return self.plan_unasked(prior, config);
        }
        // A plan for a read only asks whether anything would change.
        let limited = self.with_limit(block, &config).filter(|_| self.verb() != "read");
        let timeouts = timeouts::said(limited.is_some(), &config);
        let config = limited.unwrap_or(config);
        let proposed = planning::proposed_new_state(block, &prior.value, &config);
        let request = self.plan_request(&prior, proposed, config.clone());
        let answer = self.ask(|provider, call| provider.plan_resource_change(call, request)).await?;
        self.learn_from(&answer.diagnostics, &config);
        self.settle(&answer.diagnostics)?;
        self.require(&rules::deferral(false, answer.deferred))?;
        let planned = self.decode(&answer.planned_state, &schema.implied_type())?;
        self.require(&rules::object_conforms(block, &planned))?;
        let mut violations = rules::write_only_null(block, &planned);
        if !answer.legacy_type_system {
            violations.extend(rules::plan_result(block, &prior.value, &config, &planned));
        }
        let decision = planning::decide_action(block, &prior.value, &planned, &answer.requires_replace);
        violations.extend(decision.violations);
        // A state of the Go bridge, or of before the resource had identities, has none.
        let is_unknown = matches!(decision.action, Action::Create | Action::Replace) || prior.identity.is_none();
        let (identity, wrong) = self.identity_in(answer.planned_identity.as_ref(), is_unknown);
        violations.extend(wrong);
        self.require(&violations)?;
        let planned = self.marked(&planned, &config, &prior.value);
        Ok(Plan {
            prior,
            config,
            planned,
            action: decision.action,
            requires_replace: decision.requires_replace,
            timeouts,
            private: answer.planned_private,
            identity,
            legacy: answer.legacy_type_system,
        })
    }

    /// Carries a plan out. Where something exists although something went wrong, the failure holds what exists.
    pub(crate) async fn apply(&self, plan: Plan, inputs: &PropertyMap) -> Result<Applied, Failure> {
        let schema = self.schema()?;
        let block = &schema.block;
        let Plan { prior, planned, config, private, identity, .. } = &plan;
        let request = ApplyResourceChangeRequest {
            planned_identity: identity.clone().map(Into::into),
            ..self.apply_request(prior, planned.clone(), config.clone(), private.clone())
        };
        let answer = self.ask(|provider, call| provider.apply_resource_change(call, request)).await?;
        let decoded = self.decode(&answer.new_state, &schema.implied_type());
        if let Ok(actual) = &decoded {
            self.learn_from(&answer.diagnostics, actual);
        }
        self.warn(&answer.diagnostics);
        let mut reasons = self.reasons(&answer.diagnostics);
        let actual = decoded?;
        if actual.is_null() {
            if reasons.is_empty() {
                reasons = self.broken(&rules::known_after_apply(expected(plan.action), &actual));
            }
            return Err(self.failed(&reasons));
        }
        let nonconforming = rules::object_conforms(block, &actual);
        reasons.extend(self.broken(&nonconforming));
        let actual = if nonconforming.is_empty() {
            actual
        } else {
            salvaged(&actual, &nonconforming, self.fields()).ok_or_else(|| self.failed(&reasons))?
        };
        let mut violations = rules::known_after_apply(expected(plan.action), &actual);
        violations.extend(rules::write_only_null(block, &actual));
        if reasons.is_empty() && !plan.legacy {
            violations.extend(rules::apply_result(block, &plan.planned, &actual));
        }
        let (identity, wrong) = self.identity_in(answer.new_identity.as_ref(), false);
        // Of what failed half-way not everything need be known.
        violations.extend(wrong.into_iter().filter(|_| reasons.is_empty()));
        reasons.extend(self.broken(&violations));
        let actual = planning::unknowns_as_null(&planning::write_only_nulled(block, &actual));
        let actual = timeouts::restored(actual, plan.timeouts.as_ref());
        let actual = self.marked(&actual, &plan.config, &plan.prior.value);
        let private_is_secret = has_write_only(block, &plan.config)
            || (plan.prior.private_is_secret && plan.prior.private == answer.private);
        let untouched = same_but_for_marks(&actual, &plan.prior.value) && answer.private == plan.prior.private;
        let applied = self.kept(&Prior { value: actual, private: answer.private, private_is_secret, identity })?;
        reasons.extend(applied.left_out.iter().cloned());
        if reasons.is_empty() {
            return Ok(applied);
        }
        if untouched {
            // Nothing happened to the resource, so it is not left half-way: the engine keeps its state as it was.
            return Err(self.failed(&reasons));
        }
        Err(Failure::Incomplete(Box::new(Incomplete {
            id: applied.id,
            properties: applied.outputs,
            inputs: inputs.clone(),
            reasons: reasons.iter().map(|reason| self.reason(reason)).collect(),
        })))
    }

    pub(crate) fn plan_request(&self, prior: &Prior, proposed: Value, config: Value) -> PlanResourceChangeRequest {
        PlanResourceChangeRequest {
            type_name: Arc::clone(&self.type_name),
            prior_state: prior.value.clone().into(),
            proposed_new_state: proposed.into(),
            config: config.into(),
            prior_private: prior.private.clone(),
            prior_identity: prior.identity.clone().map(Into::into),
            client_capabilities: CAPABILITIES,
            ..PlanResourceChangeRequest::default()
        }
    }

    pub(crate) fn apply_request(
        &self,
        prior: &Prior,
        planned: Value,
        config: Value,
        planned_private: Bytes,
    ) -> ApplyResourceChangeRequest {
        ApplyResourceChangeRequest {
            type_name: Arc::clone(&self.type_name),
            prior_state: prior.value.clone().into(),
            planned_state: planned.into(),
            config: config.into(),
            planned_private,
            ..ApplyResourceChangeRequest::default()
        }
    }

    /// A state in the form in which it is kept.
    pub(crate) fn kept(&self, state: &Prior) -> Result<Applied, Failure> {
        let kept = Kept {
            schema_version: self.schema()?.version,
            private: state.private.clone(),
            private_is_secret: state.private_is_secret,
            identity: self.kept_identity(state.identity.as_ref()),
        };
        let written = state::write(self.conventions(), &state.value, self.fields(), &kept);
        let left_out = written.left_out.iter().map(|name| {
            format!(
                "the output `{name}` is nested more than {} levels deep, which cannot be kept; it is left out",
                wire::MAX_NESTING
            )
        });
        Ok(Applied { id: self.id_of(&state.value), left_out: left_out.collect(), outputs: written.outputs })
    }

    /// The outputs of a plan, with what is not known yet.
    pub(crate) fn previewed(&self, plan: &Plan) -> PropertyMap {
        let planned = timeouts::restored(plan.planned.clone(), plan.timeouts.as_ref());
        outputs::for_programs(outputs::root(&planned, self.fields()))
    }

    /// `value` with secrets marked: what is secret in the configuration, and, where the configuration says nothing,
    /// what was secret in the state.
    pub(crate) fn marked(&self, value: &Value, config: &Value, prior: &Value) -> Value {
        self.fields().fields().fold(value.clone(), |value, field| {
            let name = &field.terraform;
            let source = match config.attribute(name) {
                Some(configured) if !configured.is_null() => Some(configured),
                _ => prior.attribute(name),
            };
            match (value.attribute(name), source) {
                (Some(part), Some(source)) => {
                    let marked = align::with_marks_of(part, source);
                    value.with_attribute(Arc::clone(name), marked)
                }
                _ => value,
            }
        })
    }

    /// The Pulumi id of a resource in this state: its own, else the name that the program gives the resource, which is
    /// unique among resources of its type.
    pub(crate) fn id_of(&self, value: &Value) -> String {
        self.own_id(value).unwrap_or_else(|| self.subject.name.clone())
    }

    /// The id that a resource in this state has by itself: the text of its attribute `id`, where that may be shown.
    pub(crate) fn own_id(&self, value: &Value) -> Option<String> {
        let named = self.component().is_some_and(|component| component.id != ResourceId::Absent);
        let id = value.attribute("id").filter(|_| named)?;
        let text = match id.kind() {
            ValueKind::String(text) => text.to_string(),
            ValueKind::Number(number) => number.to_string(),
            ValueKind::Bool(value) => value.to_string(),
            _ => return None,
        };
        Some(text).filter(|text| !text.is_empty())
    }
}

/// A resource that exists.
#[derive(Clone, Debug)]
pub(crate) struct Applied {
    pub(crate) id: String,
    pub(crate) outputs: PropertyMap,
    /// What had to be left out of the outputs, as reasons for a failure.
    pub(crate) left_out: Vec<String>,
}

/// Whether the configuration sets a write-only attribute.
fn has_write_only(block: &Block, config: &Value) -> bool {
    let paths = planning::write_only_paths(block, config);
    paths.iter().any(|path| path.find(config).is_some_and(|value| !value.is_null()))
}

fn same_but_for_marks(left: &Value, right: &Value) -> bool {
    left.clone().without_marks_deep() == right.clone().without_marks_deep()
}

/// What an answer is held to: an apply without a change must still return an object.
fn expected(action: Action) -> Action {
    if action == Action::NoOp { Action::Update } else { action }
}

/// What of a result can be kept although it does not conform to the schema: all attributes but the broken ones, above
/// all the id. Without it, a resource that exists would be lost.
fn salvaged(actual: &Value, broken: &[rules::Violation], names: &ObjectNames) -> Option<Value> {
    actual.as_entries()?;
    let attributes = names.fields().map(|field| {
        let broken = broken.iter().any(|violation| violation.path.first_attribute() == Some(&field.terraform));
        let value = actual.attribute(&field.terraform).filter(|_| !broken).cloned();
        (Arc::clone(&field.terraform), value.unwrap_or_else(|| Value::null(field.ty.clone())))
    });
    Some(Value::object(attributes))
}
