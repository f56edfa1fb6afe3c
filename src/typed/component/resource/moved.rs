//! States that other schemas have written: that of the generic resource, and that of an older version of this one.

use std::sync::Arc;

use denobridge_core::cty::{Value, json};
use denobridge_core::planning::empty_block;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::erased::Move;
use denobridge_framework::{ErasedResource, Outcome, PrivateData};
use serde_json::{Map, Value as Json};

use super::{TypedResource, part, remember};
use crate::scripted::{self, ScriptResource};
use crate::typed::component::layout::LeftOut;
use crate::typed::schema::{Misfit, Missing, convert_part, member};

/// Makes an object of the generic resource one of this type. The state loses nothing: what does not fit is refused.
pub(super) fn take_over(resource: &TypedResource, request: Move<'_>) -> Result<Outcome, Diagnostic> {
    let refused = |reason: String| refusal(resource, &reason);
    let generic = read(&request.state).map_err(|reason| refused(format!("Its state cannot be read: {reason}.")))?;
    let layout = &resource.component.layout;
    let mut reasons: Vec<String> = Vec::new();
    for (member, value) in part(&generic, "props").as_entries().into_iter().flatten() {
        if !value.is_null() && !layout.props.iter().any(|property| property.script == *member) {
            reasons.push(format!("`props.{member}` has no attribute"));
        }
    }
    for property in layout.props.iter().filter(|property| property.must_be_given()) {
        if part(part(&generic, "props"), &property.script).is_null() {
            reasons.push(format!("`props.{}` is required, and it is not there", property.script));
        }
    }
    let left_out = layout.left_out_of(part(&generic, "props"));
    let (object, misfits) = converted(resource, &generic, &left_out);
    reasons.extend(misfits.iter().map(Misfit::to_string));
    if !reasons.is_empty() {
        let list: String = reasons.iter().map(|reason| format!("\n  - {reason}.")).collect();
        return Err(refused(format!("What is stored does not fit the attributes of the new type:{list}")));
    }
    remember(request.private, &left_out)?;
    if let Ok(source) = PrivateData::decode(&request.source_private) {
        scripted::carry_over(&source, request.private).map_err(|error| refused(error.to_string()))?;
    }
    Ok(Outcome { state: Some(object), diagnostics: Diagnostics::new() })
}

/// What the script has not answered yet it answers to the first read.
fn converted(resource: &TypedResource, generic: &Value, left_out: &LeftOut) -> (Value, Vec<Misfit>) {
    let layout = &resource.component.layout;
    let (mut object, mut misfits) = (empty_block(&resource.schema.block), Vec::new());
    for property in &layout.props {
        let value = convert_part("props", &mut misfits, |misfits| {
            member(property, part(generic, "props").attribute(&property.script), Missing::IsNull, misfits)
        });
        object = object.with_attribute(Arc::clone(&property.terraform), value);
    }
    let (object, more) = resource.with_answers(object, generic, left_out, Missing::IsNull);
    misfits.extend(more);
    (object, misfits)
}

fn refusal(resource: &TypedResource, reason: &str) -> Diagnostic {
    let detail = format!(
        "An object of {} cannot become one of the script {}. {reason}\n\nApply once with the generic resource and props \
         that fit, then move it.",
        scripted::RESOURCE,
        resource.component.script.file
    );
    Diagnostic::error("The resource cannot be moved", detail)
}

/// A stored state of the generic resource. Older and other providers of that name may have attributes more or less.
fn read(stored: &Json) -> Result<Value, String> {
    let Json::Object(members) = stored else { return Err("it is no object".to_owned()) };
    let schema = ScriptResource.schema();
    let known: Map<String, Json> = members
        .iter()
        .filter(|(name, _)| schema.block.attribute(name).is_some())
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    json::from_json(&Json::Object(known), &schema.implied_type()).map_err(|error| error.to_string())
}

/// A state of another version of the schema, as far as its attributes are still there and of the same type. The script
/// answers the rest to the next read.
pub(super) fn what_still_fits(schema: &Schema, stored: &Json) -> Value {
    schema.block.attributes.iter().fold(empty_block(&schema.block), |object, attribute| {
        let value = stored.get(&*attribute.name).map(|value| json::from_json(value, &attribute.implied_type()));
        match value {
            Some(Ok(value)) => object.with_attribute(Arc::clone(&attribute.name), value),
            _ => object,
        }
    })
}
