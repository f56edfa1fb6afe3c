//! The steps that a run is made of. Each shows what it does and remembers what went wrong.

use denobridge_core::cty::Value;
use denobridge_core::planning::Action;
use denobridge_framework::host::{Plan, Report, ResourceHost, ResourceState};

use super::findings::Findings;
use super::printer::Printer;

/// One resource being driven.
pub(super) struct Session<'s> {
    resource: ResourceHost<'s>,
    printer: &'s Printer,
    findings: Findings<'s>,
}

impl<'s> Session<'s> {
    pub(super) fn new(resource: ResourceHost<'s>, printer: &'s Printer) -> Self {
        Self { resource, printer, findings: Findings::new(printer) }
    }

    pub(super) fn resource(&self) -> &ResourceHost<'s> {
        &self.resource
    }

    /// From here on, requests go through another host.
    pub(super) fn go_on_with(&mut self, resource: ResourceHost<'s>) {
        self.resource = resource;
    }

    pub(super) fn failed(&self) -> bool {
        self.findings.failed()
    }

    /// A step went wrong for a reason of its own.
    pub(super) fn fail(&mut self, step: &str, reason: &str) {
        self.findings.fail(step, reason);
    }

    /// Shows what a step has to say; false if it failed.
    pub(super) fn heard(&mut self, step: &str, report: &Report) -> bool {
        self.findings.heard(step, report)
    }

    /// The configuration that the user wrote, if it fits the schema.
    pub(super) fn config(&mut self, written: &Value) -> Option<Value> {
        match self.resource.config(written) {
            Ok(config) => Some(config),
            Err(diagnostics) => {
                self.heard("configuration", &Report { diagnostics, ..Report::default() });
                None
            }
        }
    }

    pub(super) async fn plan(&mut self, config: &Value, prior: Option<&ResourceState>) -> Option<Plan> {
        let step = self.resource.plan(config, prior).await;
        if !self.heard("plan", &step.report) {
            return None;
        }
        if let Some(plan) = &step.value {
            self.printer.plan(&self.resource, plan);
        }
        step.value
    }

    /// Plans when nothing may change any more, as Terraform would in the next run.
    pub(super) async fn plan_nothing(&mut self, config: &Value, state: &ResourceState) {
        self.printer.heading("plan again: nothing may change");
        if let Some(plan) = self.plan(config, Some(state)).await
            && plan.action != Action::NoOp
        {
            self.fail(
                "plan again",
                "the next run would change something although nothing has changed: what `read` answers differs from \
                 the props given, or `modifyPlan` asks for a change every time",
            );
        }
    }

    /// Carries out a plan; the value is what exists afterwards.
    pub(super) async fn apply(&mut self, plan: &Plan, config: &Value) -> Option<ResourceState> {
        let step = self.resource.apply(plan, config).await;
        let name = plan.action.to_string();
        if self.heard(&name, &step.report) {
            self.printer.good(match plan.action {
                Action::NoOp => "nothing to do",
                Action::Create => "created",
                Action::Update => "updated",
                Action::Replace => "replaced",
                Action::Delete => "deleted",
            });
            // The plan has said everything that was known; this is the rest.
            if let Some(state) = &step.value {
                let planned = self.resource.marked(&plan.after);
                self.printer.learned(&planned, &self.resource.marked(&state.value));
            }
        }
        if let Some(state) = step.value.as_ref().filter(|state| state.tainted) {
            let id = state.value.attribute("id").map(super::show::value).unwrap_or_default();
            self.printer.note(&format!("the object {id} was not created to the end; the next apply replaces it"));
        }
        step.value
    }

    /// Looks at what is there; shows how it differs from what was known.
    pub(super) async fn refresh(&mut self, state: &ResourceState) -> Option<ResourceState> {
        let step = self.resource.refresh(state).await;
        if !self.heard("read", &step.report) {
            return step.value;
        }
        match &step.value {
            None => self.printer.note("the object is gone"),
            Some(found) if denobridge_core::planning::same_value(&found.value, &state.value) => {
                self.printer.good("read: as it was");
            }
            Some(found) => {
                self.printer.note("the object has changed:");
                let (before, after) = (self.resource.marked(&state.value), self.resource.marked(&found.value));
                self.printer.changes(&before, &after, &[]);
                self.warn_of_lost_states(&state.value, &found.value);
            }
        }
        step.value
    }

    /// A state that `read` leaves out is recorded as absent, and whoever uses it finds nothing from then on.
    fn warn_of_lost_states(&mut self, before: &Value, after: &Value) {
        let has = |object: &Value, name: &str| object.attribute(name).is_some_and(|value| !value.is_null());
        for (name, member) in [("state", "state"), ("sensitive_state", "sensitiveState")] {
            if has(before, name) && !has(after, name) {
                let summary = format!("`read` leaves out `{member}`");
                let detail = "It is recorded as absent, so that what uses it finds nothing after the next refresh. Let \
                              `read` answer all of it, as `create` and `update` do.";
                self.findings.warn(&summary, detail);
            }
        }
    }

    pub(super) async fn import(&mut self, id: &str) -> Option<ResourceState> {
        let step = self.resource.import(id).await;
        if self.heard("import", &step.report)
            && let Some(state) = &step.value
        {
            self.printer.good("imported");
            let null = Value::null(self.resource.schema().implied_type());
            self.printer.changes(&null, &self.resource.marked(&state.value), &[]);
        }
        step.value
    }

    pub(super) async fn destroy(&mut self, state: &ResourceState) -> Option<ResourceState> {
        let step = self.resource.destroy(state).await;
        if self.heard("delete", &step.report) {
            self.printer.good("deleted");
        }
        step.value
    }

    /// Shows what all came to; whether it was good.
    pub(super) fn verdict(self, good: &str) -> bool {
        self.findings.verdict(good)
    }
}
