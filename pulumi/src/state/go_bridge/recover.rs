//! Making raw state of outputs.

use std::collections::BTreeMap;

use denobridge_core::cty::Number;
use serde_json::{Map, Value as Json};

use super::RESERVED;
use super::delta::{Delta, DeltaError, DeltaProblem, ObjectDelta};
use crate::property_value::{PropertyMap, PropertyValue};
use crate::state::names::nearest_terraform_name;
use crate::state::raw;

/// The raw state that a delta makes of outputs.
pub(super) fn root(delta: &Delta, outputs: &PropertyMap) -> Result<Map<String, Json>, DeltaError> {
    match delta {
        Delta::Object(delta) => object(delta, outputs),
        Delta::Replace(Json::Object(raw)) => Ok(raw.clone()),
        _ => Err(DeltaError::new(DeltaProblem::Form("content"))),
    }
}

fn part(delta: Option<&Delta>, property: &PropertyValue) -> Result<Json, DeltaError> {
    let property = property.plain();
    match (delta.unwrap_or(&Delta::Natural), property) {
        (Delta::Natural, property) => natural(property),
        (Delta::Replace(raw), _) => Ok(raw.clone()),
        (Delta::Plural(_), PropertyValue::Null) => Ok(Json::Array(Vec::new())),
        (Delta::Plural(inner), property) => Ok(Json::Array(vec![part(Some(inner), property)?])),
        (Delta::Object(delta), PropertyValue::Object(entries)) => Ok(Json::Object(object(delta, entries)?)),
        (Delta::Map(parts), PropertyValue::Object(entries)) => map(parts, entries),
        (Delta::Object(_) | Delta::Map(_), other) => kind("an object", other),
        (Delta::Array(parts), PropertyValue::Array(items)) => array(parts, items),
        (Delta::Array(_), other) => kind("an array", other),
        (Delta::Number, PropertyValue::String(text)) => number(text),
        (Delta::Number, other) => kind("a string", other),
        (Delta::Asset, _) => unsupported("an asset"),
    }
}

fn object(delta: &ObjectDelta, entries: &PropertyMap) -> Result<Map<String, Json>, DeltaError> {
    let is_part = |key: &str| !RESERVED.contains(&key) && !delta.ignored.iter().any(|ignored| ignored == key);
    let given = entries.iter().filter(|(key, _)| is_part(key));
    // What has a delta but no property is what Terraform has and outputs do not.
    let added = delta.parts.keys().filter(|key| !entries.contains_key(*key)).map(|key| (key, &PropertyValue::Null));
    let parts = given.chain(added).map(|(key, property)| {
        let name = delta.renamed.get(key).cloned().unwrap_or_else(|| nearest_terraform_name(key));
        Ok((name, part(delta.parts.get(key), property).map_err(|error| error.inside_key(key))?))
    });
    parts.collect()
}

fn map(parts: &BTreeMap<String, Delta>, entries: &PropertyMap) -> Result<Json, DeltaError> {
    let entries = entries.iter().map(|(key, property)| {
        Ok((key.clone(), part(parts.get(key), property).map_err(|error| error.inside_key(key))?))
    });
    Ok(Json::Object(entries.collect::<Result<_, DeltaError>>()?))
}

fn array(parts: &BTreeMap<usize, Delta>, items: &[PropertyValue]) -> Result<Json, DeltaError> {
    if let Some(index) = parts.keys().find(|index| **index >= items.len()) {
        return Err(DeltaError::new(DeltaProblem::Index(*index)));
    }
    let items = items
        .iter()
        .enumerate()
        .map(|(index, item)| part(parts.get(&index), item).map_err(|error| error.inside_index(index)));
    Ok(Json::Array(items.collect::<Result<_, _>>()?))
}

/// The number that a text says, in the one form that numbers have.
fn number(text: &str) -> Result<Json, DeltaError> {
    let number = text.parse::<Number>().ok().and_then(|number| number.to_string().parse().ok());
    number.map(Json::Number).ok_or_else(|| DeltaError::new(DeltaProblem::NotANumber))
}

/// What a property looks like.
fn natural(property: &PropertyValue) -> Result<Json, DeltaError> {
    match property.plain() {
        PropertyValue::Null => Ok(Json::Null),
        PropertyValue::Bool(value) => Ok(Json::Bool(*value)),
        PropertyValue::String(text) => Ok(Json::String(text.clone())),
        PropertyValue::Number(double) => Ok(raw::number(*double)),
        PropertyValue::Array(items) => {
            let items = items.iter().enumerate();
            let items = items.map(|(index, item)| natural(item).map_err(|error| error.inside_index(index)));
            Ok(Json::Array(items.collect::<Result<_, _>>()?))
        }
        PropertyValue::Object(_) => Err(DeltaError::new(DeltaProblem::Object)),
        other => unsupported(other.kind_name()),
    }
}

fn kind<T>(expected: &'static str, found: &PropertyValue) -> Result<T, DeltaError> {
    Err(DeltaError::new(DeltaProblem::Kind { expected, found: found.kind_name() }))
}

fn unsupported<T>(what: &'static str) -> Result<T, DeltaError> {
    Err(DeltaError::new(DeltaProblem::Unsupported(what)))
}
