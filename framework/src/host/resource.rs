//! One managed resource.

use denobridge_core::planning::Action;
use denobridge_core::schema::IdentitySchema;
use denobridge_core::{Diagnostic, cty::Value};

use super::component::{Component, component_methods};
use super::{Report, ResourceState, Step};

/// One resource instance of a [`super::Host`]. Holds no state of its own: the caller keeps what [`ResourceHost::apply`]
/// returns.
pub struct ResourceHost<'h> {
    pub(super) component: Component<'h>,
    pub(super) identity: Option<&'h IdentitySchema>,
}

/// What [`ResourceHost::converge`] came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Converged {
    /// What was done.
    pub action: Action,
    /// What exists now.
    pub state: ResourceState,
}

impl ResourceHost<'_> {
    component_methods!();

    /// The schema of the resource's identity, if it has one.
    #[must_use]
    pub fn identity_schema(&self) -> Option<&IdentitySchema> {
        self.identity
    }

    /// Brings an object to what a user wrote, as `terraform apply` does, and then looks whether a further
    /// `terraform plan` would be empty, as it should be: reads the object and plans again. A plan that is not empty is an
    /// error that says which parts would change. None when anything went wrong before there was an object.
    ///
    /// A provider that fails halfway is better driven step by step, with [`ResourceHost::plan`] and
    /// [`ResourceHost::apply`]: they return what is left.
    pub async fn converge(&self, written: &Value, prior: Option<&ResourceState>) -> Step<Option<Converged>> {
        let mut report = Report::default();
        let config = match self.config(written) {
            Ok(config) => config,
            Err(diagnostics) => {
                report.diagnostics.extend(diagnostics);
                return Step { value: None, report };
            }
        };
        let planned = self.plan(&config, prior).await;
        report.extend(planned.report);
        let Some(plan) = planned.value.filter(|_| !report.failed()) else { return Step { value: None, report } };
        let applied = self.apply(&plan, &config).await;
        report.extend(applied.report);
        let Some(state) = applied.value else { return Step { value: None, report } };
        let state = if report.failed() { state } else { self.settled(&config, state, &mut report).await };
        Step { value: Some(Converged { action: plan.action, state }), report }
    }

    /// The state after another read, which must need no further change.
    async fn settled(&self, config: &Value, state: ResourceState, report: &mut Report) -> ResourceState {
        let read = self.refresh(&state).await;
        report.extend(read.report);
        if report.failed() {
            return state;
        }
        let Some(found) = read.value else {
            report.diagnostics.push(Diagnostic::error(
                "Object is gone after apply",
                format!("{} was applied, and a read right afterwards found nothing.", self.subject()),
            ));
            return state;
        };
        let again = self.plan(config, Some(&found)).await;
        report.extend(again.report);
        if let Some(plan) = again.value.filter(|plan| plan.action != Action::NoOp) {
            let (before, after) = (self.marked(&found.value), self.marked(&plan.after));
            report.diagnostics.push(Diagnostic::error(
                "Plan is not empty after apply",
                format!(
                    "{} was applied, and planning the same configuration once more would {} it again.\nIt is:      \
                     {before:?}\nPlanned is: {after:?}",
                    self.subject(),
                    plan.action
                ),
            ));
        }
        found
    }
}
