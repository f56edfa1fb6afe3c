//! Diff: what would change, and whether the resource would have to be replaced.

use denobridge_core::cty::{Path, PathStep, Value};
use denobridge_core::planning::Action;
use denobridge_sdk_gen::{Field, PropertyPath};

use super::Operation;
use super::detailed_diff::{Change, DetailedDiff, Difference, agrees, differences, overlap};
use super::ignored;
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
        let ignored = ignored::resolvable(ignored, &outputs::root(&prior.value, self.fields()));
        let config = self.config_over(inputs, &prior.value, &ignored)?;
        let plan = self.plan(prior, config).await?;
        Ok(self.diff_of(&plan, &Seen { outputs, old_inputs, inputs: &given, ignored: &ignored }))
    }

    fn diff_of(&self, plan: &Plan, seen: &Seen<'_>) -> DiffResponse {
        let none =
            DiffResponse { changes: DiffChanges::DiffNone.into(), has_detailed_diff: true, ..Default::default() };
        if plan.action == Action::NoOp {
            // What the program gives is all that can be shown of it, and the engine compares that by itself.
            return match self.former_type(seen.outputs) {
                Some(_) => DiffResponse { changes: DiffChanges::DiffSome.into(), ..DiffResponse::default() },
                None => none,
            };
        }
        let mut detailed = DetailedDiff::default();
        // What the provider computes anew is a consequence, not what the user has changed.
        let shown = |difference: &Difference| {
            let planned = !difference.unknown && self.conventions().shows_planned_defaults();
            planned || !self.is_consequence(&difference.path, plan, seen.old_inputs)
        };
        self.add_changes(plan, seen, &mut detailed, shown);
        self.add_write_only(plan, seen, &mut detailed);
        self.add_replacements(plan, seen, &mut detailed);
        if detailed.is_empty() {
            self.add_changes(plan, seen, &mut detailed, |_| true);
        }
        if detailed.is_empty() {
            return none;
        }
        DiffResponse {
            // Also where the provider replaces nothing: the user's `replaceOnChanges` may make a replacement of an update.
            delete_before_replace: self.deletes_first(plan, seen.inputs),
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
        seen: &Seen<'_>,
        detailed: &mut DetailedDiff,
        wanted: impl Fn(&Difference) -> bool,
    ) {
        for difference in differences(&plan.prior.value, &plan.planned).into_iter().filter(wanted) {
            let path = self.fields().to_pulumi(&self.placed(&difference, seen, Array::Shown));
            // Paths are ignored as the engine does it: they lead into the inputs.
            let asked = self.fields().to_pulumi(&self.placed(&difference, seen, Array::Inputs));
            if !seen.is_ignored(&asked) {
                let replace = plan.requires_replace.iter().any(|cause| overlap(cause, &difference.path));
                detailed.add(path, difference.change, replace, false);
            }
        }
    }

    /// The path of a difference with the place that an element of a set has in an array: one that goes in the array of
    /// that kind, one that comes in the program's inputs. Of sets inside of something else there is no place.
    fn placed(&self, difference: &Difference, seen: &Seen<'_>, array: Array) -> Path {
        let steps = difference.path.steps();
        let [PathStep::Attribute(name), PathStep::Element(element), rest @ ..] = steps else {
            return difference.path.clone();
        };
        let place = self.fields().by_terraform(name).and_then(|field| match difference.change {
            _ if field.flattened => Some(0),
            Change::Delete if rest.is_empty() => match array {
                Array::Shown => place_in(seen.outputs, field, inputs::Origin::State, element),
                Array::Inputs => place_in(seen.old_inputs, field, inputs::Origin::Program, element),
            },
            _ => place_in(seen.inputs, field, inputs::Origin::Program, element),
        });
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
    fn add_write_only(&self, plan: &Plan, seen: &Seen<'_>, detailed: &mut DetailedDiff) {
        for field in self.fields().fields().filter(|field| field.write_only) {
            let part = |inputs: &PropertyMap| inputs.get(&*field.pulumi).map(|value| value.without_secrets());
            let change = match (part(seen.old_inputs), part(seen.inputs)) {
                (None, Some(_)) => Change::Add,
                (Some(_), None) => Change::Delete,
                (before, after) if before != after => Change::Update,
                _ => continue,
            };
            let terraform = Path::root().attribute(field.terraform.clone());
            let path = self.fields().to_pulumi(&terraform);
            if !seen.is_ignored(&path) {
                let replace = plan.requires_replace.iter().any(|cause| overlap(cause, &terraform));
                detailed.add(path, change, replace, true);
            }
        }
    }

    /// Causes of a replacement that no difference shows: write-only properties, and values that are not known yet.
    fn add_replacements(&self, plan: &Plan, seen: &Seen<'_>, detailed: &mut DetailedDiff) {
        for cause in &plan.requires_replace {
            let path = self.fields().to_pulumi(cause);
            let shown = detailed.replaced();
            if !seen.is_ignored(&path)
                && !path.first_property().is_some_and(|name| shown.iter().any(|shown| shown == name))
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

/// What the user sees of a resource, in programs and in the state.
struct Seen<'d> {
    outputs: &'d PropertyMap,
    old_inputs: &'d PropertyMap,
    inputs: &'d PropertyMap,
    ignored: &'d [PropertyPath],
}

impl Seen<'_> {
    fn is_ignored(&self, path: &PropertyPath) -> bool {
        self.ignored.iter().any(|ignored| ignored.contains(path))
    }
}

/// The array in which the place of a set's element that goes is looked up.
#[derive(Clone, Copy)]
enum Array {
    /// The outputs, which the engine shows.
    Shown,
    /// The inputs of before.
    Inputs,
}

/// What becomes of a resource's name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    MadeUp,
    Stays,
    Changes,
}

/// The place of a set's element in the array for the set: the first that is it, or can have become it.
fn place_in(given: &PropertyMap, field: &Field, origin: inputs::Origin, element: &Value) -> Option<usize> {
    let items = inputs::elements(field, given.get(&*field.pulumi), origin).ok()?;
    items.iter().position(|item| agrees(item, element))
}
