//! Planning: the generic resource plans its own object, and what comes of that is put into the plan of the attributes.

use denobridge_core::cty::{Path, Value};
use denobridge_core::planning::{mark_sensitive, same_value};
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::{Context, ErasedResource, PlanEdit, PlanKind, PrivateData};
use serde_json::Value as Json;

use super::super::layout::{LeftOut, SECRETS_VERSION};
use super::super::messages;
use super::{GENERIC, TypedResource, left_out_of, part};
use crate::scripted::{self, ScriptResource, values};
use crate::typed::schema::{Missing, Property, Shape, convert_part, member};

/// The key of the private data of a plan under which the state is that the script has planned.
const PLANNED_STATE: &str = "planned_state";

/// The state that the script has planned, as it has planned it, if it has. Of use once.
pub(super) fn take_planned_state(private: &mut PrivateData) -> Option<Value> {
    let planned: Option<Json> = private.get(PLANNED_STATE).ok().flatten();
    private.remove(PLANNED_STATE);
    values::from_json(&planned?).ok()
}

pub(super) async fn modify(resource: &TypedResource, context: &Context, plan: &mut PlanEdit) -> Diagnostics {
    let changes = plan.has_changes();
    let left_out = resource.component.layout.left_out(plan.config());
    let mut generic = generic_plan(resource, context, plan, changes, &left_out);
    let said = ScriptResource.modify_plan(&resource.component.script.context(context), &mut generic).await;
    let mut diagnostics = resource.component.layout.diagnostics(said);
    if diagnostics.has_errors() || plan.kind() == PlanKind::Delete {
        return diagnostics;
    }
    take_over(resource, generic, plan, changes, &left_out, &mut diagnostics);
    diagnostics
}

/// The plan as the generic resource would have it.
fn generic_plan(
    resource: &TypedResource,
    context: &Context,
    plan: &PlanEdit,
    changes: bool,
    left_out: &LeftOut,
) -> PlanEdit {
    let layout = &resource.component.layout;
    let null = || Value::null(GENERIC.implied_type());
    let config = match plan.kind() {
        PlanKind::Delete => null(),
        PlanKind::Create | PlanKind::Update => resource.generic_config(context, plan.config(), left_out),
    };
    let prior = match plan.kind() {
        PlanKind::Create => null(),
        PlanKind::Update | PlanKind::Delete => resource.generic(context, plan.prior(), &left_out_of(&plan.private)),
    };
    let marked = mark_sensitive(&resource.schema.block, plan.planned());
    let proposed = match plan.kind() {
        PlanKind::Delete => null(),
        PlanKind::Create => config.clone().with_attribute("props", layout.props_of(&marked, left_out)),
        // That the program gives what the script had set before is no change of anything.
        PlanKind::Update if !changes => prior.clone(),
        PlanKind::Update => prior.clone().with_attribute("props", layout.props_of(&marked, left_out)),
    };
    PlanEdit::of(&GENERIC.block, ScriptResource.plan_modifiers(), config, prior, proposed, plan.private.clone())
}

fn take_over(
    resource: &TypedResource,
    generic: PlanEdit,
    plan: &mut PlanEdit,
    changes: bool,
    left_out: &LeftOut,
    diagnostics: &mut Diagnostics,
) {
    plan.private = generic.private.clone();
    plan.private.remove(PLANNED_STATE);
    if plan.kind() == PlanKind::Update {
        if !generic.has_changes() {
            if changes {
                plan.keep_prior();
            }
            return;
        }
        if !changes {
            plan.expect_changes();
        }
        restore_props(resource, &generic, plan, changes);
        require_replacement(resource, &generic, plan, left_out);
    }
    if resource.component.layout.tracks_secrets() {
        plan.set(SECRETS_VERSION, part(generic.planned(), scripted::VERSION).clone());
    }
    set_planned_state(resource, &generic, plan, left_out, diagnostics);
}

/// The script may plan the props as they are, although there is another change.
fn restore_props(resource: &TypedResource, generic: &PlanEdit, plan: &mut PlanEdit, changes: bool) {
    if !changes || !same_value(part(generic.planned(), "props"), part(generic.prior(), "props")) {
        return;
    }
    for property in &resource.component.layout.props {
        let prior = part(plan.prior(), &property.terraform).clone();
        plan.set(&property.terraform, prior);
    }
}

/// The generic resource names its attributes as a whole; here they are those that differ.
fn require_replacement(resource: &TypedResource, generic: &PlanEdit, plan: &mut PlanEdit, left_out: &LeftOut) {
    let layout = &resource.component.layout;
    let root = |name: &str| Path::root().attribute(name);
    for path in generic.requires_replace() {
        let mapped = layout.attribute_path(path);
        if !mapped.is_root() {
            plan.require_replace(mapped);
        } else if path.first_attribute() == Some("props") {
            let differ = |property: &&Property| {
                let name = &property.terraform;
                !left_out.contains(&**name) && !same_value(part(plan.prior(), name), part(plan.planned(), name))
            };
            let differing: Vec<_> =
                layout.props.iter().filter(differ).map(|property| root(&property.terraform)).collect();
            differing.into_iter().for_each(|path| plan.require_replace(path));
        }
    }
    for property in layout.props.iter().filter(|property| replaces_inside(plan, property)).collect::<Vec<_>>() {
        plan.require_replace(root(&property.terraform));
    }
}

/// Whether a part of the elements of a list or map differs whose change replaces the object. Terraform takes a path that
/// leads to the whole only.
fn replaces_inside(plan: &PlanEdit, property: &Property) -> bool {
    let (Shape::List(element) | Shape::Map(element)) = &property.shape else { return false };
    let Some(properties) = element.properties() else { return false };
    let replacing: Vec<_> = properties.iter().filter(|property| property.facts.replaces).collect();
    let parts = |object: &Value| -> Vec<Value> {
        let elements = part(object, &property.terraform).children().collect::<Vec<_>>();
        replacing
            .iter()
            .flat_map(|inner| elements.iter().map(|element| part(element, &inner.terraform).clone()))
            .collect()
    };
    let (before, after) = (parts(plan.prior()), parts(plan.planned()));
    before.len() != after.len() || before.iter().zip(&after).any(|(before, after)| !same_value(before, after))
}

/// What the script says that the state will be.
fn set_planned_state(
    resource: &TypedResource,
    generic: &PlanEdit,
    plan: &mut PlanEdit,
    left_out: &LeftOut,
    diagnostics: &mut Diagnostics,
) {
    let planned = part(generic.planned(), "state");
    if !planned.is_known() || planned.is_null() {
        return;
    }
    let layout = &resource.component.layout;
    let mut misfits = Vec::new();
    for property in layout.state.iter().filter(|property| !layout.is_given(property, left_out)) {
        let value = convert_part("plannedState", &mut misfits, |misfits| {
            member(property, planned.attribute(&property.script), Missing::Misfits, misfits)
        });
        plan.set(&property.terraform, value);
    }
    diagnostics.extend(messages::misfits(&misfits, &resource.component.script.file, "modifyPlan", ""));
    if let Err(error) = plan.private.set(PLANNED_STATE, &values::to_json(planned)) {
        diagnostics.push(Diagnostic::error("What was planned cannot be remembered", error.to_string()));
    }
}
