//! Stored state, which may be of an older schema than the one that says what is secret.

use std::collections::BTreeSet;

use denobridge_core::DynamicValue;
use denobridge_core::cty::Type;
use denobridge_core::planning::is_sensitive;
use denobridge_core::recording::{self, Placeholders};
use denobridge_core::schema::{Attribute, AttributeType, Block};
use serde_json::Value as Json;

use super::messages::{Secrets, bytes_of, unreadable};
use super::shapes::Shape;

/// A stored state as it is recorded: JSON, or what Terraform before 0.12 wrote.
pub(super) fn readable(shape: Option<&Shape<'_>>, mut json: Json, secrets: Option<&Secrets<'_>>) -> Json {
    let bytes = json.get("json").map(bytes_of);
    if let (Some(bytes), Some(members)) = (&bytes, json.as_object_mut()) {
        let state = serde_json::from_slice(bytes).unwrap_or_else(|_| unreadable());
        members.insert("json".to_owned(), state);
    }
    let Some((secrets, shape)) = secrets.zip(shape) else { return json };
    let Some(block) = shape.block() else { return json };
    match bytes.and_then(|bytes| DynamicValue::Json(bytes).decode(&shape.ty()).ok()) {
        Some(value) => {
            // What is told here is found in the JSON when the line is written.
            let _ = recording::to_json(&secrets.marked(shape, value), &shape.ty(), secrets.placeholders);
        }
        None => {
            let mut names = BTreeSet::new();
            collect(block, &mut names);
            replace_named(&mut json, &names, secrets.placeholders);
        }
    }
    for attribute in block.attributes.iter().filter(|attribute| is_sensitive(attribute)) {
        if let Some(stored) = json.get_mut("json").and_then(|state| state.get_mut(&*attribute.name)) {
            replace(stored, &attribute.implied_type(), secrets.placeholders);
        }
    }
    json
}

/// The names of everything that is secret in a block, however deep.
fn collect<'a>(block: &'a Block, names: &mut BTreeSet<&'a str>) {
    collect_attributes(&block.attributes, names);
    block.blocks.iter().for_each(|nested| collect(&nested.block, names));
}

fn collect_attributes<'a>(attributes: &'a [Attribute], names: &mut BTreeSet<&'a str>) {
    for attribute in attributes {
        if is_sensitive(attribute) {
            names.insert(&attribute.name);
        }
        if let AttributeType::Nested(nested) = &attribute.ty {
            collect_attributes(&nested.attributes, names);
        }
    }
}

/// Replaces what has the name of something secret. Where in the state that is does not count: this is for states of which
/// it is not known how they are built. The names of old states are paths with dots.
fn replace_named(json: &mut Json, names: &BTreeSet<&str>, placeholders: &Placeholders) {
    match json {
        Json::Array(items) => items.iter_mut().for_each(|item| replace_named(item, names, placeholders)),
        Json::Object(members) => {
            for (name, stored) in members {
                if name.split('.').any(|step| names.contains(step)) {
                    replace(stored, &Type::Dynamic, placeholders);
                } else {
                    replace_named(stored, names, placeholders);
                }
            }
        }
        _ => {}
    }
}

/// Replaces what is stored of a secret, but for the types in it, which stand beside values of a type that only they tell.
fn replace(stored: &mut Json, ty: &Type, placeholders: &Placeholders) {
    match (ty, stored) {
        (Type::Dynamic, Json::Object(members)) if members.contains_key("type") && members.contains_key("value") => {
            let others = members.iter_mut().filter(|(name, _)| *name != "type");
            others.for_each(|(_, stored)| placeholders.replace(stored));
        }
        (Type::Object(object), Json::Object(members)) => {
            for (name, stored) in members {
                replace(stored, object.attributes.get(name.as_str()).unwrap_or(&Type::String), placeholders);
            }
        }
        (Type::Map(element), Json::Object(members)) => {
            members.values_mut().for_each(|stored| replace(stored, element, placeholders));
        }
        (Type::List(element) | Type::Set(element), Json::Array(items)) => {
            items.iter_mut().for_each(|stored| replace(stored, element, placeholders));
        }
        (_, stored) => placeholders.replace(stored),
    }
}
