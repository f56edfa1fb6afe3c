//! Looking at the real object.

use denobridge_core::Diagnostic;
use denobridge_core::cty::Value;
use denobridge_framework::erased::Read;
use denobridge_framework::{Context, Outcome};
use serde_json::{Value as Json, json};

use super::super::answer::Answer;
use super::super::call::{ScriptCall, attribute, props_json};
use super::super::messages::Operation;
use super::super::values;
use super::IMPORTED;

pub(super) async fn read(context: &Context, request: Read<'_>) -> Result<Outcome, Diagnostic> {
    let Read { state, private } = request;
    let props = attribute(&state, "props");
    let imported = props.is_null() && private.contains(IMPORTED);
    let call = ScriptCall::new(context, Operation::Read, &state, &[])?;
    let (answer, diagnostics) = call
        .ask(&json!({
            "id": values::to_json(attribute(&state, "id")),
            "props": if imported { Json::Null } else { props_json(&state) },
            "state": values::to_json(attribute(&state, "state")),
            "sensitiveState": values::to_json(attribute(&state, "sensitive_state")),
        }))
        .await?;
    if diagnostics.has_errors() {
        return Ok(Outcome { state: None, diagnostics });
    }
    if answer.flag("exists").map_err(|wrong| call.wrong(&wrong))? == Some(false) {
        return Ok(Outcome { state: None, diagnostics });
    }
    if answer.is_empty() {
        return Err(call.failed(
            "answered \"read\" with nothing. It must answer the object's `props` and `state`, or `exists: false`.",
        ));
    }
    let found = found(&call, &answer, &state, imported)?;
    private.remove(IMPORTED);
    Ok(Outcome { state: Some(found), diagnostics })
}

fn found(call: &ScriptCall<'_>, answer: &Answer, state: &Value, imported: bool) -> Result<Value, Diagnostic> {
    let value = |member, name| answer.value(member, attribute(state, name)).map_err(|wrong| call.wrong(&wrong));
    let mut props = value("props", "props")?;
    // A user who gives no props is not told of the empty ones that the script was given instead.
    let is_empty = props.as_entries().is_some_and(std::collections::BTreeMap::is_empty);
    if is_empty && !imported && attribute(state, "props").is_null() {
        props = attribute(state, "props").clone();
    }
    Ok(state
        .clone()
        .with_attribute("props", props)
        .with_attribute("state", value("state", "state")?)
        .with_attribute("sensitive_state", value("sensitiveState", "sensitive_state")?))
}
