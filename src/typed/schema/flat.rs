//! A schema made flat: its references followed, the parts of `allOf` put together, and null taken out of what it allows.

use serde_json::{Map, Value as Json};

use super::Place;
use crate::typed::TypedError;
use crate::typed::error::SchemaFault;

/// A schema without references.
#[derive(Clone, Debug, Default)]
pub(super) struct Flat {
    /// Its keywords, among them neither `$ref` nor `allOf`.
    pub keywords: Map<String, Json>,
    /// Null fits too.
    pub nullable: bool,
    /// It refers to itself, which is where reading ends.
    pub recursive: bool,
    /// The references that led here.
    pub followed: Vec<String>,
}

/// Makes schemas of one document flat.
pub(super) struct Document<'d> {
    /// What references start from.
    pub root: &'d Json,
}

impl Document<'_> {
    /// `followed` are the references that one is inside of.
    pub fn flat(&self, schema: &Json, followed: &[String], place: &Place<'_>) -> Result<Flat, TypedError> {
        let mut flat = Flat { followed: followed.to_vec(), ..Flat::default() };
        self.add(schema, followed, &mut flat, place)?;
        if !flat.recursive {
            self.take_null_out(&mut flat, place)?;
        }
        Ok(flat)
    }

    /// `inside` are the references around this part; those of parts beside it do not make it refer to itself.
    fn add(&self, schema: &Json, inside: &[String], flat: &mut Flat, place: &Place<'_>) -> Result<(), TypedError> {
        let keywords = match schema {
            Json::Bool(true) => return Ok(()),
            Json::Bool(false) => return Err(place.fault(SchemaFault::Never)),
            Json::Object(keywords) => keywords,
            _ => return Err(place.fault(SchemaFault::NoSchema)),
        };
        if let Some(reference) = keywords.get("$ref").and_then(Json::as_str) {
            if inside.iter().any(|known| known == reference) {
                flat.recursive = true;
            } else {
                let target = self.find(reference).map_err(|fault| place.fault(fault))?;
                flat.followed.push(reference.to_owned());
                let inside = [inside, &[reference.to_owned()]].concat();
                self.add(target, &inside, flat, place)?;
            }
        }
        for part in keywords.get("allOf").and_then(Json::as_array).into_iter().flatten() {
            // Conditions among the parts describe no value.
            if part.get("if").is_none() {
                self.add(part, inside, flat, place)?;
            }
        }
        for (name, value) in keywords {
            if !matches!(name.as_str(), "$ref" | "allOf" | "$defs" | "definitions") {
                merge(&mut flat.keywords, name, value);
            }
        }
        Ok(())
    }

    fn find(&self, reference: &str) -> Result<&Json, SchemaFault> {
        let Some(pointer) = reference.strip_prefix('#') else {
            return Err(SchemaFault::ForeignReference(reference.to_owned()));
        };
        let pointer = percent_encoding::percent_decode_str(pointer).decode_utf8_lossy();
        self.root.pointer(&pointer).ok_or_else(|| SchemaFault::UnknownReference(reference.to_owned()))
    }

    /// Null may be allowed in several ways; what is left is a schema of its own.
    fn take_null_out(&self, flat: &mut Flat, place: &Place<'_>) -> Result<(), TypedError> {
        if let Some(Json::Array(types)) = flat.keywords.get("type") {
            let mut left: Vec<Json> = types.iter().filter(|name| *name != "null").cloned().collect();
            flat.nullable |= left.len() < types.len();
            let one = (left.len() == 1).then(|| left.remove(0));
            flat.keywords.insert("type".to_owned(), one.unwrap_or(Json::Array(left)));
        }
        if let Some(Json::Array(values)) = flat.keywords.get_mut("enum") {
            let count = values.len();
            values.retain(|value| !value.is_null());
            flat.nullable |= values.len() < count;
        }
        for name in ["anyOf", "oneOf"] {
            let Some(Json::Array(branches)) = flat.keywords.get(name) else { continue };
            let mut left: Vec<Json> = branches.iter().filter(|branch| !is_null(branch)).cloned().collect();
            flat.nullable |= left.len() < branches.len();
            if left.len() != 1 {
                flat.keywords.insert(name.to_owned(), Json::Array(left));
                continue;
            }
            flat.keywords.shift_remove(name);
            // What is said outside is about the whole, and wins.
            let outside = std::mem::take(&mut flat.keywords);
            let inner = self.flat(&left.remove(0), &flat.followed, place)?;
            *flat = Flat { nullable: flat.nullable || inner.nullable, ..inner };
            outside.iter().for_each(|(name, value)| merge(&mut flat.keywords, name, value));
            return Ok(());
        }
        Ok(())
    }
}

fn is_null(schema: &Json) -> bool {
    schema.get("type").is_some_and(|name| name == "null") || schema.get("const").is_some_and(Json::is_null)
}

/// Adds a keyword to others that hold at the same time.
fn merge(keywords: &mut Map<String, Json>, name: &str, value: &Json) {
    match (name, keywords.get_mut(name), value) {
        ("properties", Some(Json::Object(known)), Json::Object(more)) => {
            for (property, schema) in more {
                let both = match known.get(property) {
                    Some(other) if other != schema => serde_json::json!({ "allOf": [other, schema] }),
                    _ => schema.clone(),
                };
                known.insert(property.clone(), both);
            }
        }
        ("required", Some(Json::Array(known)), Json::Array(more)) => known.extend(more.iter().cloned()),
        // Whole numbers are numbers.
        ("type", Some(Json::String(known)), Json::String(more)) if known == "integer" && more == "number" => {}
        _ => {
            keywords.insert(name.to_owned(), value.clone());
        }
    }
}
