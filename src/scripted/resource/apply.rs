//! Creating, updating and deleting.

use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::same_value;
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::erased::{Create, Delete, Update};
use denobridge_framework::{Context, Outcome, PrivateData};
use serde_json::{Value as Json, json};

use super::super::answer::{Answer, WrongAnswer};
use super::super::call::{ScriptCall, attribute, props_json};
use super::super::messages::Operation;
use super::super::values;
use super::super::write_only::{self, Change};
use super::{STATES, VERSION, same_to_script, script_digest};
use crate::deno::ScriptError;

pub(super) async fn create(context: &Context, request: Create<'_>) -> Result<Outcome, Diagnostic> {
    let Create { config, planned, private } = request;
    let call = ScriptCall::new(context, Operation::Create, &planned, &[&config])?;
    let mut params = json!({ "props": props_json(&planned) });
    add_write_only(&mut params, "writeOnlyProps", &config);
    let (id, answer, mut diagnostics) = match call.send(&params).await {
        Ok(json) => {
            let (answer, mut diagnostics) = call.answer(json, &[])?;
            (created_id(&call, &answer, &mut diagnostics), answer, diagnostics)
        }
        Err(error) => made_all_the_same(&call, &error),
    };
    let Some(id) = id else { return Ok(Outcome { state: None, diagnostics }) };
    let planned = planned.with_attribute("id", Value::string(id));
    let object = with_states(&call, &answer, planned, None, &mut diagnostics);
    if let Err(error) = write_only::remember(private, attribute(&config, "write_only_props")) {
        diagnostics.push(Operation::Create.failed(error.to_string()));
    }
    let version = attribute(&object, "write_only_props_version");
    let object = if version.is_known() { object } else { object.with_attribute(VERSION, Value::number(1)) };
    Ok(Outcome { state: Some(script_digest::settled(object)), diagnostics })
}

/// The object that an unreadable answer names exists, and must be recorded.
fn made_all_the_same(call: &ScriptCall<'_>, error: &ScriptError) -> (Option<String>, Answer, Diagnostics) {
    let mut failed = call.call_failed(error);
    let id = error.kind.object().filter(|id| !id.is_empty()).map(str::to_owned);
    if let Some(id) = &id {
        failed.detail.push_str(&format!("\n\nThe answer names the object {id:?}, so it was made and is recorded."));
    }
    (id, Answer::default(), failed.into())
}

/// The id of the new object. Whatever else is wrong with the answer, an object with an id exists and must be recorded.
fn created_id(call: &ScriptCall<'_>, answer: &Answer, diagnostics: &mut Diagnostics) -> Option<String> {
    match answer.text("id") {
        Ok(Some(id)) if !id.is_empty() => Some(id.to_owned()),
        Ok(_) => {
            if !diagnostics.has_errors() {
                diagnostics.push(call.failed(
                    "answered \"create\" without an `id`, so the object cannot be managed. If the script has made it, \
                     remove it by hand.\n\nCorrect the script: `id` must be a string that is not empty.",
                ));
            }
            None
        }
        Err(wrong) => {
            diagnostics.push(call.wrong(&wrong));
            match answer.get("id") {
                Some(Json::Number(number)) => Some(number.to_string()),
                _ => None,
            }
        }
    }
}

pub(super) async fn update(context: &Context, request: Update<'_>) -> Result<Outcome, Diagnostic> {
    let Update { config, prior, planned, private } = request;
    let call = ScriptCall::new(context, Operation::Update, &planned, &[&config, &prior])?.with_prior(&prior);
    // A state that may change is unknown in the plan, unless the script has planned it.
    let states_stay = STATES.iter().all(|name| same_value(attribute(&planned, name), attribute(&prior, name)));
    let version_stays = same_value(attribute(&planned, VERSION), attribute(&prior, VERSION));
    let script_stays = same_to_script(&call.scripts, &prior, &planned) && !script_digest::has_changed(&prior, &planned);
    if states_stay && version_stays && script_stays {
        return Ok(Outcome::of(script_digest::settled(planned)));
    }
    let mut params = json!({
        "id": values::to_json(attribute(&prior, "id")),
        "nextProps": props_json(&planned),
        "currentProps": props_json(&prior),
        "currentState": values::to_json(attribute(&prior, "state")),
        "currentSensitiveState": values::to_json(attribute(&prior, "sensitive_state")),
    });
    add_write_only(&mut params, "nextWriteOnlyProps", &config);
    let (answer, mut diagnostics) = call.ask(&params).await?;
    if diagnostics.has_errors() {
        return Ok(Outcome { state: None, diagnostics });
    }
    refuse_other_id(&call, &answer, &prior, &mut diagnostics);
    let object = with_states(&call, &answer, planned, Some(&prior), &mut diagnostics);
    let object = script_digest::settled(with_version(object, &prior, &config, private)?);
    Ok(Outcome { state: Some(object), diagnostics })
}

fn refuse_other_id(call: &ScriptCall<'_>, answer: &Answer, prior: &Value, diagnostics: &mut Diagnostics) {
    let id = attribute(prior, "id").as_str().unwrap_or_default();
    match answer.text("id") {
        Ok(None) => {}
        Ok(Some(answered)) if answered == id => {}
        Ok(Some(answered)) => diagnostics.push(call.failed(format_args!(
            "answered \"update\" with the id {answered:?}, but the object is {id:?}. An update cannot change the id; the old \
             one is kept.\n\nTo replace the object instead, answer `requiresReplacement: true` in \"modifyPlan\"."
        ))),
        Err(wrong) => diagnostics.push(call.wrong(&wrong)),
    }
}

/// The version of the write-only props after an update, and their new hash.
fn with_version(object: Value, prior: &Value, config: &Value, private: &mut PrivateData) -> Result<Value, Diagnostic> {
    let props = attribute(config, "write_only_props");
    let failed = |error: denobridge_framework::PrivateDataError| Operation::Update.failed(error.to_string());
    let change = write_only::compare(private, props).map_err(failed)?;
    if change != Change::None {
        write_only::remember(private, props).map_err(failed)?;
    }
    if attribute(&object, VERSION).is_known() {
        return Ok(object);
    }
    let version = match change {
        Change::None => attribute(prior, VERSION).clone(),
        Change::Some | Change::Unknown => next_version(prior),
    };
    Ok(object.with_attribute(VERSION, version))
}

/// The version after a change.
pub(super) fn next_version(prior: &Value) -> Value {
    let version = attribute(prior, VERSION).as_number().and_then(denobridge_core::cty::Number::to_i64);
    Value::number(version.unwrap_or(0).saturating_add(1))
}

/// The object with the states of an answer. What cannot be used is an error and null.
fn with_states(
    call: &ScriptCall<'_>,
    answer: &Answer,
    planned: Value,
    prior: Option<&Value>,
    diagnostics: &mut Diagnostics,
) -> Value {
    let mut object = planned;
    for (member, name) in [("state", "state"), ("sensitiveState", "sensitive_state")] {
        let expected = attribute(&object, name).clone();
        // What was planned is kept with its type, and so is what has not changed.
        let like =
            if expected.is_known() { &expected } else { prior.map_or(&expected, |prior| attribute(prior, name)) };
        let value = answer.value(member, like).unwrap_or_else(|wrong: WrongAnswer| {
            diagnostics.push(call.wrong(&wrong));
            Value::null(Type::Dynamic)
        });
        if expected.is_known() && !same_value(&value, &expected) && !diagnostics.has_errors() {
            let method = call.operation.method();
            diagnostics.push(call.failed(format_args!(
                "answered \"{method}\" with another `{member}` than the `plannedState` of its \"modifyPlan\". What \
                 depends on the planned one would be wrong.\n\nCorrect the script: plan only a state that is certain."
            )));
        }
        object = object.with_attribute(name, value);
    }
    object
}

pub(super) async fn delete(context: &Context, request: Delete<'_>) -> Result<Diagnostics, Diagnostic> {
    let prior = &request.prior;
    let call = ScriptCall::new(context, Operation::Delete, prior, &[])?;
    let (answer, mut diagnostics) = call
        .ask(&json!({
            "id": values::to_json(attribute(prior, "id")),
            "props": props_json(prior),
            "state": values::to_json(attribute(prior, "state")),
            "sensitiveState": values::to_json(attribute(prior, "sensitive_state")),
        }))
        .await?;
    call.check_done(&answer, &mut diagnostics)?;
    Ok(diagnostics)
}

fn add_write_only(params: &mut Json, member: &str, config: &Value) {
    let props = attribute(config, "write_only_props");
    if let (Json::Object(members), false) = (params, props.is_null()) {
        members.insert(member.to_owned(), values::to_json(props));
    }
}
