//! Planning: the write-only props, and what the script has to say about a change.

use denobridge_core::cty::{Path, Value};
use denobridge_core::planning::{same_value, unknowns_as_null};
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::{Context, PlanEdit, PlanKind};
use serde_json::{Value as Json, json};

use super::super::answer::Answer;
use super::super::call::{SCRIPT_ATTRIBUTES, ScriptCall, attribute, props_json, scripts};
use super::super::messages::Operation;
use super::super::runtime::file_version;
use super::super::values;
use super::super::write_only::{self, Change};
use super::apply::next_version;
use super::{STATES, VERSION, same_to_script, script_digest};

pub(super) async fn modify(context: &Context, plan: &mut PlanEdit) -> Result<Diagnostics, Diagnostic> {
    let digest = script_digest::plan(plan);
    let change = plan_write_only(plan)?;
    // Last: noticing another change makes what is computed unknown.
    digest.into_iter().for_each(|digest| script_digest::set(plan, digest));
    keep_props_of_another_type(plan);
    if !plan.has_changes() {
        return Ok(Diagnostics::new());
    }
    let object = match plan.kind() {
        PlanKind::Delete => plan.prior(),
        PlanKind::Create | PlanKind::Update => plan.planned(),
    }
    .clone();
    let scripts = scripts(context, Operation::ModifyPlan)?;
    let known = SCRIPT_ATTRIBUTES.iter().all(|name| attribute(&object, name).is_wholly_known());
    if !known || scripts.deno_is_unknown() {
        // The script can be asked at apply, when core plans again.
        return Ok(Diagnostics::new());
    }
    let prior = plan.prior().clone();
    let same_script = !script_digest::has_changed(&prior, &object);
    let same = plan.kind() == PlanKind::Update && change == Change::None && same_script;
    if same && same_to_script(&scripts, &prior, &object) {
        for name in STATES {
            plan.set(name, attribute(&prior, name).clone());
        }
        return Ok(Diagnostics::new());
    }
    let config = plan.config().clone();
    let call = ScriptCall::new(context, Operation::ModifyPlan, &object, &[&prior, &config])?.with_prior(&prior);
    ask(&call, plan).await
}

/// Props that differ from what they were in their types only stay as they were: a script is told the same of both. So it
/// is after an import, where a list of the object meets a tuple, which is what `["a"]` is in a configuration.
fn keep_props_of_another_type(plan: &mut PlanEdit) {
    if plan.kind() != PlanKind::Update {
        return;
    }
    let (prior, planned) = (attribute(plan.prior(), "props"), attribute(plan.planned(), "props"));
    let differ = planned.is_wholly_known() && prior.is_null() == planned.is_null() && !same_value(prior, planned);
    // What has become a secret must not be kept as what it was.
    if differ && prior.marks_deep() == planned.marks_deep() && values::to_json(prior) == values::to_json(planned) {
        plan.set("props", prior.clone());
    }
}

/// A change of the write-only props alone is a change too. It shows as another version.
fn plan_write_only(plan: &mut PlanEdit) -> Result<Change, Diagnostic> {
    match plan.kind() {
        PlanKind::Delete => return Ok(Change::None),
        PlanKind::Create => {
            plan.set(VERSION, Value::number(1));
            return Ok(Change::Some);
        }
        PlanKind::Update => {}
    }
    let change = write_only::compare(&plan.private, attribute(plan.config(), "write_only_props"))
        .map_err(|error| Operation::ModifyPlan.failed(error.to_string()))?;
    if change != Change::None && !plan.has_changes() {
        plan.expect_changes();
    }
    match change {
        Change::None => plan.set(VERSION, attribute(plan.prior(), VERSION).clone()),
        Change::Some => plan.set(VERSION, next_version(plan.prior())),
        // Left as it is, which is unknown.
        Change::Unknown => {}
    }
    Ok(change)
}

async fn ask(call: &ScriptCall<'_>, plan: &mut PlanEdit) -> Result<Diagnostics, Diagnostic> {
    let (scripts, spec) = (&call.scripts, &call.spec);
    if scripts.lacks_modify_plan(spec) {
        return Ok(Diagnostics::new());
    }
    let version = file_version(spec);
    let (params, unknown) = params(plan);
    let json = match call.send(&params).await {
        Ok(json) => json,
        Err(error) if error.is_method_not_found() => {
            scripts.remember_no_modify_plan(spec, version);
            return Ok(Diagnostics::new());
        }
        Err(error) => return Err(call.call_failed(&error)),
    };
    let (answer, mut diagnostics) = call.answer(json, &unknown)?;
    if !diagnostics.has_errors() {
        use_answer(call, &answer, plan, &mut diagnostics).map_err(|wrong| call.wrong(&wrong))?;
    }
    Ok(diagnostics)
}

/// The parameters, and where the script is told null because nothing is known yet.
fn params(plan: &PlanEdit) -> (Json, Vec<Vec<Json>>) {
    let (kind, prior) = (plan.kind(), plan.prior());
    let current = |name: &str| if prior.is_null() { Json::Null } else { values::to_json(attribute(prior, name)) };
    let (next, unknown) = next_props(plan);
    let mut params = json!({
        "id": current("id"),
        "planType": match kind {
            PlanKind::Create => "create",
            PlanKind::Update => "update",
            PlanKind::Delete => "delete",
        },
        "nextProps": next,
        "currentProps": if prior.is_null() { Json::Null } else { props_json(prior) },
        "currentState": current("state"),
        "currentSensitiveState": current("sensitive_state"),
    });
    if let (Json::Object(members), false) = (&mut params, unknown.is_empty()) {
        members.insert("unknownPaths".to_owned(), json!(unknown));
    }
    (params, unknown)
}

fn next_props(plan: &PlanEdit) -> (Json, Vec<Vec<Json>>) {
    if plan.kind() == PlanKind::Delete {
        return (Json::Null, Vec::new());
    }
    let props = attribute(plan.planned(), "props");
    let (json, unknown) = values::to_json_with_unknowns(props, "nextProps");
    if props.is_null() || !props.is_known() { (json!({}), unknown) } else { (json, unknown) }
}

fn use_answer(
    call: &ScriptCall<'_>,
    answer: &Answer,
    plan: &mut PlanEdit,
    diagnostics: &mut Diagnostics,
) -> Result<(), super::super::answer::WrongAnswer> {
    if plan.kind() == PlanKind::Delete || answer.flag("noChanges")? == Some(true) {
        return Ok(());
    }
    if answer.flag("requiresReplacement")? == Some(true) {
        require_replacement(plan);
        return Ok(());
    }
    if let Some(modified) = answer.get("modifiedProps")
        && let Err(diagnostic) = modify_props(call, plan, modified)
    {
        diagnostics.push(diagnostic);
        return Ok(());
    }
    if answer.get("plannedState").is_some() && plan.has_changes() {
        let state = answer.value("plannedState", attribute(plan.prior(), "state"))?;
        plan.set("state", state);
    }
    Ok(())
}

/// Names the props, and whatever else has changed: a path has an effect only where something differs.
fn require_replacement(plan: &mut PlanEdit) {
    if plan.kind() != PlanKind::Update {
        return;
    }
    let differs = |name: &&str| !same_value(attribute(plan.prior(), name), attribute(plan.planned(), name));
    let mut changed: Vec<&str> =
        ["props"].into_iter().chain(SCRIPT_ATTRIBUTES).chain([VERSION]).filter(differs).collect();
    if changed.contains(&"props") || changed.is_empty() {
        changed = vec!["props"];
    }
    for name in changed {
        plan.require_replace(Path::root().attribute(name));
    }
}

/// Props can be planned as configured or as they are, and nothing else.
fn modify_props(call: &ScriptCall<'_>, plan: &mut PlanEdit, modified: &Json) -> Result<(), Diagnostic> {
    let props = attribute(plan.planned(), "props");
    // As the script was given them.
    let given = if props.is_null() || !props.is_known() { Value::object::<&str>([]) } else { unknowns_as_null(props) };
    let Some(place) = values::first_difference(&given, modified, "props") else { return Ok(()) };
    let prior = attribute(plan.prior(), "props").clone();
    if plan.kind() == PlanKind::Update && values::says_the_same(&prior, modified) {
        plan.set("props", prior);
        let version_stays = same_value(attribute(plan.prior(), VERSION), attribute(plan.planned(), VERSION));
        let script_stays = SCRIPT_ATTRIBUTES
            .iter()
            .all(|name| same_value(attribute(plan.prior(), name), attribute(plan.planned(), name)));
        if version_stays && script_stays && !script_digest::has_changed(plan.prior(), plan.planned()) {
            plan.keep_prior();
        }
        return Ok(());
    }
    let message = call.failed(format_args!(
        "changes `{place}` in `modifiedProps`. A plan can only hold the props as they are configured, or as they were \
         before; others are refused by Terraform and Pulumi alike.\n\nTo fill in defaults, do so where the script uses the \
         props, and show the result in `state`."
    ));
    Err(message.at(Path::root().attribute("props")))
}
