//! Carrying out a plan.

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::planning::rules::{self, Rule};
use denobridge_core::planning::{Action, unknowns_as_null, unset_computed_blocks};
use denobridge_core::provider::ApplyResourceChangeRequest;

use super::{Plan, Report, ResourceHost, ResourceState, Step};

/// One change to make.
struct Change<'c> {
    action: Action,
    before: Option<&'c ResourceState>,
    planned: &'c Value,
    config: &'c Value,
    private: Bytes,
    identity: Option<&'c Value>,
}

impl ResourceHost<'_> {
    /// Carries out a plan with a configuration in which everything is known now; it is planned once more first, and the
    /// result must be what the plan said (R9). The value is what exists afterwards, also when something went wrong (R12).
    pub async fn apply(&self, plan: &Plan, config: &Value) -> Step<Option<ResourceState>> {
        match plan.action {
            Action::NoOp => Step { value: plan.before.clone(), report: Report::default() },
            Action::Delete => self.delete(plan).await,
            Action::Create | Action::Update | Action::Replace => {
                if let Some(diagnostic) = self.component.not_known_yet(config) {
                    let report = Report { diagnostics: diagnostic.into(), ..Report::default() };
                    return Step { value: plan.before.clone(), report };
                }
                self.change(plan, config).await
            }
        }
    }

    /// Plans and carries out the deletion of what is there. The value is what is left of it.
    pub async fn destroy(&self, state: &ResourceState) -> Step<Option<ResourceState>> {
        let step = self.plan_destroy(state).await;
        let Some(plan) = step.value else { return Step { value: Some(state.clone()), report: step.report } };
        let mut report = step.report;
        let deleted = self.delete(&plan).await;
        report.extend(deleted.report);
        Step { value: deleted.value, report }
    }

    async fn delete(&self, plan: &Plan) -> Step<Option<ResourceState>> {
        let null = Value::null(self.component.ty());
        let change = Change {
            action: Action::Delete,
            before: plan.before.as_ref(),
            planned: &null,
            config: &null,
            private: plan.private.clone(),
            identity: None,
        };
        let mut report = Report::default();
        let value = self.apply_change(change, &mut report).await;
        Step { value, report }
    }

    async fn change(&self, plan: &Plan, config: &Value) -> Step<Option<ResourceState>> {
        let mut report = Report::default();
        let mut left = plan.before.clone();
        if plan.action == Action::Replace && left.is_some() {
            let deleted = self.delete(plan).await;
            report.extend(deleted.report);
            left = deleted.value;
            if report.failed() || left.is_some() {
                return Step { value: left, report };
            }
        }
        let step = self.plan_again(config, left.as_ref(), plan.private.clone()).await;
        let planned = !step.report.failed();
        report.extend(step.report);
        let Some(last) = step.value.filter(|_| planned) else { return Step { value: left, report } };
        // After its first half, the rest of a replacement is a creation.
        let last_action =
            if plan.action == Action::Replace && last.action == Action::Create { Action::Replace } else { last.action };
        let violations =
            rules::final_plan(self.component.block(), (plan.action, &plan.after), (last_action, &last.after));
        report.broken(&self.component.subject, violations);
        if report.failed() || last.action == Action::NoOp {
            return Step { value: left, report };
        }
        let config = unset_computed_blocks(self.component.block(), config);
        let change = Change {
            action: last.action,
            before: left.as_ref(),
            planned: &last.after,
            config: &config,
            private: last.private.clone(),
            identity: last.identity.as_ref(),
        };
        let value = self.apply_change(change, &mut report).await;
        Step { value, report }
    }

    /// One apply request, and every rule about its answer. Returns what exists afterwards.
    async fn apply_change(&self, change: Change<'_>, report: &mut Report) -> Option<ResourceState> {
        let block = self.component.block();
        let null = Value::null(self.component.ty());
        let prior = change.before.map_or(&null, |before| &before.value);
        let exchange = self
            .component
            .exchange("ApplyResourceChange")
            .sent("prior state", self.component.marked(prior))
            .sent("planned state", self.component.marked(change.planned))
            .sent("config", self.component.marked(change.config));
        let request = ApplyResourceChangeRequest {
            type_name: Arc::clone(&self.component.type_name),
            prior_state: prior.clone().into(),
            planned_state: change.planned.clone().into(),
            config: change.config.clone().into(),
            planned_private: change.private,
            planned_identity: change.identity.cloned().map(Into::into),
            provider_meta: self.component.host.meta(),
        };
        let answer = self.component.host.provider.apply_resource_change(&self.component.call, request);
        let Some((exchange, response)) = self.component.ask(exchange, answer, report).await else {
            return change.before.cloned();
        };
        let mut violations = Vec::new();
        let actual = self.component.object(&response.new_state, &mut violations);
        let identity = self.identity_of(response.new_identity.as_ref(), false, &mut violations);
        let known = change.before.filter(|_| change.action == Action::Update);
        let known = known.and_then(|before| before.identity.as_ref());
        violations.extend(rules::identity_kept(known, identity.as_ref()));
        if !actual.is_null() || !response.diagnostics.has_errors() {
            violations.extend(rules::write_only_null(block, &actual));
            // A delete that failed naturally leaves its object, and whatever failed may leave nothing.
            let expected = if response.diagnostics.has_errors() { Action::NoOp } else { change.action };
            violations.extend(rules::known_after_apply(expected, &actual));
        }
        if change.action != Action::Delete && !response.diagnostics.has_errors() && violations.is_empty() {
            let broken = rules::apply_result(block, change.planned, &actual);
            violations.extend(broken.into_iter().filter(|_| !response.legacy_type_system));
        }
        let failed = response.diagnostics.has_errors() || !violations.is_empty();
        let secret_kept = violations.iter().any(|violation| violation.rule == Rule::WriteOnly);
        let actual = unknowns_as_null(&actual);
        let actual = if secret_kept { denobridge_core::planning::write_only_nulled(block, &actual) } else { actual };
        let exchange = exchange.received("new state", self.component.marked(&actual));
        self.component.answered(exchange, response.diagnostics, violations, report);
        match (failed, actual.is_null()) {
            (true, true) => change.before.cloned(),
            (false, true) => None,
            (failed, false) => {
                let was_tainted = change.before.is_some_and(|before| before.tainted);
                let tainted = failed && (change.action == Action::Create || was_tainted);
                Some(ResourceState { value: actual, private: response.private, identity, tainted })
            }
        }
    }
}
