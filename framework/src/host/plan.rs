//! Planning a change.

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::cty::{Path, Value};
use denobridge_core::planning::rules::{self, Rule};
use denobridge_core::planning::{Action, decide_action, proposed_new_state, unset_computed_blocks};
use denobridge_core::provider::{PlanResourceChangeRequest, ValidateResourceConfigRequest};
use futures::TryFutureExt as _;

use super::{CAPABILITIES, Report, ResourceHost, ResourceState, Step};

/// What apply would do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The change.
    pub action: Action,
    /// The object that is there, if any.
    pub before: Option<ResourceState>,
    /// The object after the change, as far as known; null for a deletion.
    pub after: Value,
    /// What forces a replacement; empty for a tainted object, which is replaced whatever the provider says.
    pub requires_replace: Vec<Path>,
    pub(super) private: Bytes,
    pub(super) identity: Option<Value>,
}

/// What one plan request starts from.
pub(super) struct Start<'s> {
    pub(super) prior: Value,
    pub(super) private: Bytes,
    pub(super) identity: Option<&'s Value>,
    /// Private data of the plan that the user has seen, when planning again at apply time.
    pub(super) planned_private: Bytes,
}

/// What one plan request came to.
pub(super) struct Leg {
    pub(super) planned: Value,
    pub(super) private: Bytes,
    pub(super) identity: Option<Value>,
    requires_replace: Vec<Path>,
}

impl ResourceHost<'_> {
    /// Asks the provider whether it accepts a configuration.
    pub async fn validate(&self, config: &Value) -> Step<()> {
        let request = ValidateResourceConfigRequest {
            type_name: Arc::clone(&self.component.type_name),
            config: config.clone().into(),
            client_capabilities: CAPABILITIES,
        };
        let answer = self.component.host.provider.validate_resource_config(&self.component.call, request);
        self.component.validated("ValidateResourceConfig", config, answer.map_ok(|response| response.diagnostics)).await
    }

    /// Plans the change from a state (none: nothing is there) to a configuration. No plan when anything went wrong.
    pub async fn plan(&self, config: &Value, prior: Option<&ResourceState>) -> Step<Option<Plan>> {
        self.plan_again(config, prior, Bytes::new()).await
    }

    /// Plans, with the private data of an earlier plan for providers that want it back.
    pub(super) async fn plan_again(
        &self,
        config: &Value,
        prior: Option<&ResourceState>,
        planned_private: Bytes,
    ) -> Step<Option<Plan>> {
        let mut report = self.validate(config).await.report;
        if report.failed() {
            return Step { value: None, report };
        }
        // A tainted object is planned as if it were not there, and then replaced.
        let usable = prior.filter(|prior| !prior.tainted);
        let start = match usable {
            Some(prior) => Start {
                prior: prior.value.clone(),
                private: prior.private.clone(),
                identity: prior.identity.as_ref(),
                planned_private,
            },
            None => self.starting_empty(Bytes::new(), None, planned_private),
        };
        let before = start.prior.clone();
        let Some(leg) = self.plan_leg(config, start, &mut report).await else { return Step { value: None, report } };
        let decision = decide_action(self.component.block(), &before, &leg.planned, &leg.requires_replace);
        report.broken(&self.component.subject, decision.violations);
        if report.failed() {
            return Step { value: None, report };
        }
        let (action, leg) = if decision.action == Action::Replace {
            match self.second_leg(config, leg, &mut report).await {
                Some(leg) => (Action::Replace, leg),
                None => return Step { value: None, report },
            }
        } else if decision.action == Action::Create && prior.is_some() {
            (Action::Replace, leg)
        } else {
            (decision.action, leg)
        };
        let plan = Plan {
            action,
            before: prior.cloned(),
            after: leg.planned,
            requires_replace: decision.requires_replace,
            private: leg.private,
            identity: leg.identity,
        };
        Step { value: Some(plan), report }
    }

    /// Plans the deletion of what is there. A provider that did not ask to be asked is not.
    pub async fn plan_destroy(&self, prior: &ResourceState) -> Step<Option<Plan>> {
        let mut report = Report::default();
        let null = Value::null(self.component.ty());
        let mut plan = Plan {
            action: Action::Delete,
            before: Some(prior.clone()),
            after: null.clone(),
            requires_replace: Vec::new(),
            private: prior.private.clone(),
            identity: None,
        };
        if !self.component.host.server.plan_destroy {
            return Step { value: Some(plan), report };
        }
        let start = Start {
            prior: prior.value.clone(),
            private: prior.private.clone(),
            identity: prior.identity.as_ref(),
            planned_private: Bytes::new(),
        };
        match self.plan_leg(&null, start, &mut report).await {
            Some(leg) => {
                plan.private = leg.private;
                plan.identity = leg.identity;
                Step { value: Some(plan), report }
            }
            None => Step { value: None, report },
        }
    }

    pub(super) fn starting_empty<'s>(
        &self,
        private: Bytes,
        identity: Option<&'s Value>,
        planned_private: Bytes,
    ) -> Start<'s> {
        Start { prior: Value::null(self.component.ty()), private, identity, planned_private }
    }

    /// R8: a replacement is planned once more as the creation that it ends with. Its warnings are most likely those of the
    /// first time, so they are dropped unless there is an error among them.
    async fn second_leg(&self, config: &Value, first: Leg, report: &mut Report) -> Option<Leg> {
        let mut again = Report::default();
        let start = self.starting_empty(first.private, first.identity.as_ref(), Bytes::new());
        let leg = self.plan_leg(config, start, &mut again).await;
        if again.failed() {
            report.extend(again);
        }
        leg
    }

    /// One plan request, and every rule about its answer. None when anything went wrong.
    pub(super) async fn plan_leg(&self, config: &Value, start: Start<'_>, report: &mut Report) -> Option<Leg> {
        let block = self.component.block();
        let destroy = config.is_null();
        let config = unset_computed_blocks(block, config);
        let proposed = if destroy { config.clone() } else { proposed_new_state(block, &start.prior, &config) };
        let exchange = self
            .component
            .exchange("PlanResourceChange")
            .sent("prior state", self.component.marked(&start.prior))
            .sent("config", self.component.marked(&config))
            .sent("proposed new state", self.component.marked(&proposed));
        let request = PlanResourceChangeRequest {
            type_name: Arc::clone(&self.component.type_name),
            prior_state: start.prior.clone().into(),
            proposed_new_state: proposed.into(),
            config: config.clone().into(),
            prior_private: start.private,
            client_capabilities: CAPABILITIES,
            prior_identity: start.identity.cloned().map(Into::into),
            planned_private: start.planned_private,
            provider_meta: self.component.host.meta(),
        };
        let answer = self.component.host.provider.plan_resource_change(&self.component.call, request);
        let (exchange, response) = self.component.ask(exchange, answer, report).await?;
        let mut violations = Vec::new();
        let planned = self.component.object(&response.planned_state, &mut violations);
        let may_be_unknown = start.prior.is_null() || destroy;
        let identity = self.identity_of(response.planned_identity.as_ref(), may_be_unknown, &mut violations);
        if !response.diagnostics.has_errors() {
            violations.extend(rules::deferral(CAPABILITIES.deferral_allowed, response.deferred));
            if violations.is_empty() {
                let broken = rules::plan_result(block, &start.prior, &config, &planned);
                violations.extend(broken.into_iter().filter(|broken| {
                    // Providers built with the old SDK cannot keep these, and core tolerates it.
                    !response.legacy_type_system || matches!(broken.rule, Rule::WriteOnly | Rule::PlanExistence)
                }));
            }
        }
        let failed = response.diagnostics.has_errors() || !violations.is_empty();
        let exchange = exchange.received("planned state", self.component.marked(&planned));
        self.component.answered(exchange, response.diagnostics, violations, report);
        (!failed).then_some(Leg {
            planned,
            private: response.planned_private,
            identity,
            requires_replace: response.requires_replace,
        })
    }
}
