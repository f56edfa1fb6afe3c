//! MessagePack to values.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::read::{Numeral, Reader};
use super::refinement;
use crate::cty::failure::{Failure, too_deep};
use crate::cty::value::normalize;
use crate::cty::{Number, NumberError, ObjectType, PathStep, Type, Value, ValueKind, canonical, type_json};
use crate::limits::MAX_DEPTH;

pub(super) fn decode(bytes: &[u8], ty: &Type) -> Result<Value, Failure> {
    let ty = ty.to_value_type();
    let mut reader = Reader::new(bytes);
    let value = value(&mut reader, &ty, MAX_DEPTH)?;
    if reader.is_at_end() { Ok(value) } else { Err(Failure::new("extra data after the value")) }
}

/// Reads one value that nests at most `depth` levels.
fn value(reader: &mut Reader<'_>, ty: &Type, depth: usize) -> Result<Value, Failure> {
    if let Some(extension) = reader.extension()? {
        return refinement::decode(&extension, ty);
    }
    if reader.take_nil() {
        return Ok(Value::null(ty.clone()));
    }
    match ty {
        Type::Bool => return reader.bool().map(Value::bool),
        Type::Number => return number(reader).map(Value::number),
        Type::String => return reader.text("a string is required").map(Value::string),
        _ => {}
    }
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    match ty {
        Type::List(element) => {
            let items = elements(reader, element, "a list is required", depth)?;
            Ok(canonical::list(element, items))
        }
        Type::Set(element) => {
            let items = elements(reader, element, "a set is required", depth)?;
            Ok(canonical::set(element, items))
        }
        Type::Map(element) => map(reader, element, depth),
        Type::Object(object) => attributes(reader, object, depth),
        Type::Tuple(types) => tuple(reader, types, depth),
        Type::Dynamic | Type::Bool | Type::Number | Type::String => dynamic(reader, depth),
    }
}

/// Every form of number, since encoders choose by size and language.
pub(super) fn number(reader: &mut Reader<'_>) -> Result<Number, Failure> {
    match reader.numeral()? {
        Numeral::Signed(value) => Ok(Number::from(value)),
        Numeral::Unsigned(value) => Ok(Number::from(value)),
        Numeral::Double(value) => {
            Number::from_f64(value).ok_or_else(|| Failure::new("a finite number is required, not infinity or NaN"))
        }
        Numeral::Text(text) => text.parse().map_err(|error: NumberError| Failure::new(error.to_string())),
    }
}

fn elements(
    reader: &mut Reader<'_>,
    element: &Type,
    required: &'static str,
    depth: usize,
) -> Result<Vec<Value>, Failure> {
    let length = reader.array_length(required)?;
    let mut items = Vec::with_capacity(length);
    for index in 0..length {
        items.push(value(reader, element, depth).map_err(|failure| failure.at_index(index))?);
    }
    Ok(items)
}

fn tuple(reader: &mut Reader<'_>, types: &[Type], depth: usize) -> Result<Value, Failure> {
    let length = reader.array_length("a tuple is required")?;
    if length != types.len() {
        return Err(Failure::new(format!("a tuple of length {} is required", types.len())));
    }
    let mut items = Vec::with_capacity(length);
    for (index, ty) in types.iter().enumerate() {
        items.push(value(reader, ty, depth).map_err(|failure| failure.at_index(index))?);
    }
    Ok(Value::tuple(items))
}

fn map(reader: &mut Reader<'_>, element: &Type, depth: usize) -> Result<Value, Failure> {
    let length = reader.map_length("a map is required")?;
    let mut entries = Vec::with_capacity(length);
    for _ in 0..length {
        let key = normalize(reader.text("the keys of a map must be strings")?);
        match value(reader, element, depth) {
            Ok(value) => entries.push((key, value)),
            Err(failure) => return Err(failure.within(PathStep::Key(key))),
        }
    }
    Ok(canonical::map(element, entries))
}

fn attributes(reader: &mut Reader<'_>, object: &ObjectType, depth: usize) -> Result<Value, Failure> {
    let length = reader.map_length("an object is required")?;
    let mut attributes = Vec::with_capacity(length);
    for _ in 0..length {
        let given = reader.text("the attribute names of an object must be strings")?;
        let known = object.attributes.get_key_value(given);
        let Some((name, ty)) = known.or_else(|| object.attributes.get_key_value(&*normalize(given))) else {
            return Err(Failure::new(format!("unsupported attribute {given:?}")));
        };
        match value(reader, ty, depth) {
            Ok(value) => attributes.push((Arc::clone(name), value)),
            Err(failure) => return Err(failure.within(PathStep::Attribute(Arc::clone(name)))),
        }
    }
    let attributes: BTreeMap<Arc<str>, Value> = attributes.into_iter().collect();
    if attributes.len() < object.attributes.len() {
        return Err(Failure::new(canonical::missing_attributes(object, |name| attributes.contains_key(name))));
    }
    Ok(ValueKind::Object(Arc::new(attributes)).into())
}

/// A value that brings its type: an array of the type as JSON and the value.
fn dynamic(reader: &mut Reader<'_>, depth: usize) -> Result<Value, Failure> {
    const REQUIRED: &str = "a type and a value of it are required";
    if reader.array_length(REQUIRED)? != 2 {
        return Err(Failure::new(REQUIRED));
    }
    let ty =
        type_json::decode_within(reader.blob(REQUIRED)?, depth).map_err(|error| Failure::new(error.to_string()))?;
    value(reader, &ty.to_value_type(), depth)
}
