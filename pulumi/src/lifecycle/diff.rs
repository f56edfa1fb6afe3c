//! Diff: what would change, and whether the resource would have to be replaced.

use denobridge_core::cty::{Path, PathStep, Value};
use denobridge_core::planning::Action;
use denobridge_sdk_gen::{Field, PropertyPath};

use super::Operation;
use super::detailed_diff::{Change, DetailedDiff, Difference, agrees, differences, overlap};
use super::edit;
use super::plan::Plan;
use crate::errors::Failure;
use crate::property_value::{PropertyMap, PropertyValue};
use crate::proto::pulumirpc::DiffResponse;
use crate::proto::pulumirpc::diff_response::DiffChanges;
use crate::translate::{inputs, outputs};

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
        self.learn(&[outputs, old_inputs, &inputs]);
        let given = inputs.clone();
        let prior = self.prior(outputs).await?;
        let ignored = edit::resolvable(ignored, &outputs::root(&prior.value, self.fields()));
        let config = self.config_over(inputs, &prior.value, &ignored)?;
        let plan = self.plan(prior, config).await?;
        Ok(self.diff_of(&plan, old_inputs, &given, &ignored))
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
        let shown = |difference: &Difference| {
            let planned = !difference.unknown && self.conventions().shows_planned_defaults();
            planned || !self.is_consequence(&difference.path, plan, old_inputs)
        };
        self.add_changes(plan, inputs, &mut detailed, &is_ignored, shown);
        self.add_write_only(old_inputs, inputs, plan, &mut detailed, &is_ignored);
        self.add_replacements(plan, &mut detailed, &is_ignored);
        if detailed.is_empty() {
            self.add_changes(plan, inputs, &mut detailed, &is_ignored, |_| true);
        }
        if detailed.is_empty() {
            return none;
        }
        DiffResponse {
            // Also where the provider replaces nothing: the user's `replaceOnChanges` may make a replacement of an update.
            delete_before_replace: self.deletes_first(plan, inputs),
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
        inputs: &PropertyMap,
        detailed: &mut DetailedDiff,
        is_ignored: &impl Fn(&PropertyPath) -> bool,
        wanted: impl Fn(&Difference) -> bool,
    ) {
        for difference in differences(&plan.prior.value, &plan.planned).into_iter().filter(wanted) {
            let path = self.fields().to_pulumi(&self.placed(&difference, plan, inputs));
            if !is_ignored(&path) {
                let replace = plan.requires_replace.iter().any(|cause| overlap(cause, &difference.path));
                detailed.add(path, difference.change, replace, false);
            }
        }
    }

    /// The path of a difference with the place that an element of a set has in the array which the user sees: one that
    /// goes in the outputs, one that comes in the program's inputs. Of sets inside of something else there is no place.
    fn placed(&self, difference: &Difference, plan: &Plan, inputs: &PropertyMap) -> Path {
        let steps = difference.path.steps();
        let [PathStep::Attribute(name), PathStep::Element(element), rest @ ..] = steps else {
            return difference.path.clone();
        };
        let place = match difference.change {
            Change::Delete if rest.is_empty() => {
                let elements = plan.prior.value.attribute(name).and_then(Value::as_elements);
                elements.and_then(|elements| elements.iter().position(|other| other == &**element))
            }
            _ => self.fields().by_terraform(name).and_then(|field| place_in(inputs, field, element)),
        };
        match place.and_then(|place| i64::try_from(place).ok()) {
            Some(place) => {
                [PathStep::Attribute(name.clone()), PathStep::Index(place)].iter().chain(rest).cloned().collect()
            }
            None => Path::root().attribute(name.clone()),
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

    /// Whether the old resource must go before the new one can come; the user's option `deleteBeforeReplace` overrides
    /// this.
    ///
    /// It must where both have the same name, which is what a program has given. A name that was made up is another one
    /// for the new resource. Where no name tells, it is a matter of convention.
    fn deletes_first(&self, plan: &Plan, inputs: &PropertyMap) -> bool {
        let mut named = self.fields().fields().filter(|field| field.is_autonamed()).map(|field| {
            let name = inputs.get(&*field.pulumi).map(PropertyValue::plain);
            match name {
                Some(PropertyValue::String(name)) if self.is_made_up(name) => Name::MadeUp,
                Some(PropertyValue::String(name)) => {
                    let before = plan.prior.value.attribute(&field.terraform).and_then(Value::as_str);
                    if before == Some(name) { Name::Stays } else { Name::Changes }
                }
                Some(_) => Name::Changes,
                None => Name::MadeUp,
            }
        });
        if self.conventions().deletes_before_replacing() {
            !named.any(|name| name == Name::MadeUp)
        } else {
            named.any(|name| name == Name::Stays)
        }
    }
}

/// What becomes of a resource's name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    MadeUp,
    Stays,
    Changes,
}

/// The place of a set's element in the array that the program gives for the set: the first that can have become it.
fn place_in(given: &PropertyMap, field: &Field, element: &Value) -> Option<usize> {
    let items = inputs::elements(field, given.get(&*field.pulumi)).ok()?;
    items.iter().position(|item| agrees(item, element))
}
