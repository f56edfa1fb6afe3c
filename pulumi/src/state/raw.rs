//! States as the JSON that Terraform has in its state file: Terraform's names, every attribute there.

use denobridge_core::cty::{Value, json};
use denobridge_sdk_gen::ObjectNames;
use serde_json::{Map, Value as Json};

use super::names::nearest_terraform_name;
use crate::property_value::{PropertyMap, PropertyValue};
use crate::translate::{TranslateError, inputs};

/// The JSON of a state of the current schema.
pub(super) fn of_value(value: &Value, names: &ObjectNames) -> Result<Map<String, Json>, json::JsonError> {
    let attributes = names.fields().map(|field| {
        let json = match value.attribute(&field.terraform) {
            Some(value) => json::to_json(value, &field.ty)?,
            None => Json::Null,
        };
        Ok((field.terraform.to_string(), json))
    });
    attributes.collect()
}

/// The JSON of a state that was read from outputs. A state of an older schema may hold what the current one does not
/// know: that is passed on by its nearest Terraform name, for the provider to make sense of.
pub(super) fn of_outputs(
    value: &Value,
    outputs: &PropertyMap,
    names: &ObjectNames,
    problems: &[TranslateError],
) -> Result<Map<String, Json>, json::JsonError> {
    let mut raw = of_value(value, names)?;
    for problem in problems {
        let place = problem.path();
        let Some(field) = place.first_property().and_then(|name| names.by_pulumi(name)) else { continue };
        if let Some(property) = outputs.get(&*field.pulumi) {
            raw.insert(field.terraform.to_string(), natural(property));
        }
    }
    for (name, property) in outputs {
        if !name.starts_with("__") && names.by_pulumi(name).is_none() {
            raw.entry(nearest_terraform_name(name)).or_insert_with(|| natural(property));
        }
    }
    Ok(raw)
}

/// The JSON that looks most like a property.
pub(super) fn natural(property: &PropertyValue) -> Json {
    match property.plain() {
        PropertyValue::Bool(value) => Json::Bool(*value),
        PropertyValue::Number(double) => number(*double),
        PropertyValue::String(text) => Json::String(text.clone()),
        PropertyValue::Array(items) => Json::Array(items.iter().map(natural).collect()),
        PropertyValue::Object(entries) => {
            Json::Object(entries.iter().map(|(name, value)| (name.clone(), natural(value))).collect())
        }
        _ => Json::Null,
    }
}

/// The number that the shortest decimal text of a double says, written without exponent.
pub(super) fn number(double: f64) -> Json {
    inputs::exact(double).and_then(|number| serde_json::from_str(&number.to_string()).ok()).unwrap_or(Json::Null)
}

/// JSON as text.
pub(super) fn text(raw: Map<String, Json>) -> bytes::Bytes {
    Json::Object(raw).to_string().into_bytes().into()
}
