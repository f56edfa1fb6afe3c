//! The stored form held to what the Go bridge has written, and to its law: what is written reads back the same.

mod cases;
mod generated;
mod recorded;

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Value, json};
use denobridge_core::schema::{Block, ProviderSchema, Schema};
use denobridge_sdk_gen::{BridgedOptions, ObjectNames, Repairs, generate_bridged};
use serde_json::{Value as Json, json};

use super::DELTA;
use crate::Conventions::GoBridge;
use crate::property_value::{PropertyMap, PropertyValue};
use crate::state::{Kept, META, StateError, Stored, read, write};

/// The name table of a resource with that block.
fn names(block: Block) -> Arc<ObjectNames> {
    names_with(block, Repairs::all())
}

fn names_with(block: Block, repairs: Repairs) -> Arc<ObjectNames> {
    let schema = ProviderSchema {
        resources: BTreeMap::from([("p_r".into(), Schema { version: 0, block })]),
        ..ProviderSchema::default()
    };
    let options = BridgedOptions { repairs, ..BridgedOptions::new("p", "1.0.0") };
    let package = generate_bridged(&schema, &options).expect("a package");
    Arc::clone(&package.names.resource("p:index/r:R").expect("the resource").fields)
}

/// JSON as property values; a secret has the form that a stack export gives it.
fn property(json: &Json) -> PropertyValue {
    match json {
        Json::Null => PropertyValue::Null,
        Json::Bool(value) => PropertyValue::Bool(*value),
        Json::Number(number) => PropertyValue::Number(number.as_f64().expect("a double")),
        Json::String(text) => PropertyValue::String(text.clone()),
        Json::Array(items) => PropertyValue::Array(items.iter().map(property).collect()),
        Json::Object(entries) => match entries.get("plaintext").and_then(Json::as_str) {
            Some(text) => property(&serde_json::from_str(text).expect("JSON")).into_secret(),
            None => PropertyValue::Object(properties(json)),
        },
    }
}

fn properties(json: &Json) -> PropertyMap {
    json.as_object().expect("an object").iter().map(|(name, value)| (name.clone(), property(value))).collect()
}

/// Property values as JSON, where `{"secret": …}` is a secret.
fn shown(value: &PropertyValue) -> Json {
    match value {
        PropertyValue::Null => Json::Null,
        PropertyValue::Bool(value) => json!(value),
        PropertyValue::Number(double) => crate::state::raw::number(*double),
        PropertyValue::String(text) => json!(text),
        PropertyValue::Array(items) => items.iter().map(shown).collect(),
        PropertyValue::Object(entries) => entries.iter().map(|(name, value)| (name.clone(), shown(value))).collect(),
        PropertyValue::Secret(inner) => json!({ "secret": shown(inner) }),
        other => panic!("{other:?} in a state"),
    }
}

/// The state that was stored, by the schema that it was stored with.
fn state(stored: &Stored, names: &ObjectNames) -> Value {
    json::decode(&stored.raw, &names.object_type()).expect("a state of the schema")
}
