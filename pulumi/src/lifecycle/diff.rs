//! Diff: what would change, and whether the resource would have to be replaced.

use denobridge_core::cty::Path;
use denobridge_core::planning::Action;
use denobridge_sdk_gen::PropertyPath;

use super::Operation;
use super::detailed_diff::{Change, DetailedDiff, Difference, differences, overlap};
use super::plan::Plan;
use crate::errors::Failure;
use crate::property_value::PropertyMap;
use crate::proto::pulumirpc::DiffResponse;
use crate::proto::pulumirpc::diff_response::DiffChanges;

impl Operation {
    pub(crate) async fn diff(
        &self,
        outputs: &PropertyMap,
        old_inputs: &PropertyMap,
        inputs: PropertyMap,
        ignored: &[PropertyPath],
    ) -> Result<DiffResponse, Failure> {
        if self.is_action() {
            return self.diff_action(outputs, old_inputs, inputs, ignored).await;
        }
        let given = inputs.clone();
        let prior = self.prior(outputs).await?;
        let config = self.config_over(inputs, &prior.value, ignored)?;
        let plan = self.plan(prior, config).await?;
        Ok(self.diff_of(&plan, old_inputs, &given, ignored))
    }

    fn diff_of(
        &self,
        plan: &Plan,
        old_inputs: &PropertyMap,
        inputs: &PropertyMap,
        ignored: &[PropertyPath],
    ) -> DiffResponse {
        let none =
            DiffResponse { changes: DiffChanges::DiffNone.into(), has_detailed_diff: true, ..Default::default() };
        if plan.action == Action::NoOp {
            return none;
        }
        let is_ignored = |path: &PropertyPath| ignored.iter().any(|ignored| ignored.contains(path));
        let mut detailed = DetailedDiff::default();
        // What the provider computes anew is a consequence, not what the user has changed.
        let consequence = |difference: &Difference| self.is_consequence(&difference.path, plan, old_inputs);
        self.add_changes(plan, &mut detailed, &is_ignored, |difference| !consequence(difference));
        self.add_write_only(old_inputs, inputs, plan, &mut detailed, &is_ignored);
        self.add_replacements(plan, &mut detailed, &is_ignored);
        if detailed.is_empty() {
            self.add_changes(plan, &mut detailed, &is_ignored, |_| true);
        }
        if detailed.is_empty() {
            return none;
        }
        DiffResponse {
            // Also where the provider replaces nothing: the user's `replaceOnChanges` may make a replacement of an update.
            delete_before_replace: self.deletes_first(inputs),
            diffs: detailed.properties(),
            replaces: detailed.replaced(),
            changes: DiffChanges::DiffSome.into(),
            detailed_diff: detailed.into_wire(),
            has_detailed_diff: true,
            ..DiffResponse::default()
        }
    }

    fn add_changes(
        &self,
        plan: &Plan,
        detailed: &mut DetailedDiff,
        is_ignored: &impl Fn(&PropertyPath) -> bool,
        wanted: impl Fn(&Difference) -> bool,
    ) {
        for difference in differences(&plan.prior.value, &plan.planned).into_iter().filter(wanted) {
            let path = self.fields().to_pulumi(&difference.path);
            if !is_ignored(&path) {
                let replace = plan.requires_replace.iter().any(|cause| overlap(cause, &difference.path));
                detailed.add(path, difference.change, replace, false);
            }
        }
    }

    /// Whether the provider alone decides about what is at the path: the program neither sets it nor has set it before.
    fn is_consequence(&self, path: &Path, plan: &Plan, old_inputs: &PropertyMap) -> bool {
        let field = path.first_attribute().and_then(|name| self.fields().by_terraform(name));
        field.is_some_and(|field| {
            let configured = plan.config.attribute(&field.terraform).is_some_and(|value| !value.is_null());
            field.computed && !configured && !old_inputs.contains_key(&*field.pulumi)
        })
    }

    /// Changes of write-only properties, which no state shows: the engine is told to compare inputs. They are only worth
    /// showing beside a change that the provider has planned.
    fn add_write_only(
        &self,
        old_inputs: &PropertyMap,
        inputs: &PropertyMap,
        plan: &Plan,
        detailed: &mut DetailedDiff,
        is_ignored: &impl Fn(&PropertyPath) -> bool,
    ) {
        for field in self.fields().fields().filter(|field| field.write_only) {
            let part = |inputs: &PropertyMap| inputs.get(&*field.pulumi).map(|value| value.without_secrets());
            let change = match (part(old_inputs), part(inputs)) {
                (None, Some(_)) => Change::Add,
                (Some(_), None) => Change::Delete,
                (before, after) if before != after => Change::Update,
                _ => continue,
            };
            let terraform = Path::root().attribute(field.terraform.clone());
            let path = self.fields().to_pulumi(&terraform);
            if !is_ignored(&path) {
                let replace = plan.requires_replace.iter().any(|cause| overlap(cause, &terraform));
                detailed.add(path, change, replace, true);
            }
        }
    }

    /// Causes of a replacement that no difference shows: write-only properties, and values that are not known yet.
    fn add_replacements(&self, plan: &Plan, detailed: &mut DetailedDiff, is_ignored: &impl Fn(&PropertyPath) -> bool) {
        for cause in &plan.requires_replace {
            let path = self.fields().to_pulumi(cause);
            let shown = detailed.replaced();
            if !is_ignored(&path) && !path.first_property().is_some_and(|name| shown.iter().any(|shown| shown == name))
            {
                detailed.add(path, Change::Update, true, false);
            }
        }
    }

    /// Whether the old resource must go before the new one can come.
    ///
    /// That is Terraform's order, for which providers are written: with the other one, deleting the old resource would
    /// delete the new one if both have the same name. Only where a name was made up, and therefore is another one each
    /// time, Pulumi's usual order is safe. The user's option `deleteBeforeReplace` overrides this.
    fn deletes_first(&self, inputs: &PropertyMap) -> bool {
        let made_up = |field: &denobridge_sdk_gen::Field| field.is_autonamed() && !inputs.contains_key(&*field.pulumi);
        !self.fields().fields().any(made_up)
    }
}
