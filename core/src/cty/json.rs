//! Values as JSON, directed by their type, as Terraform stores state.
//!
//! The shapes are those of the wire ([`super::msgpack`]); a dynamic value is `{"value": …, "type": …}`. Unknown values have
//! no form. Text is parsed by serde_json, whose own limit of depth is [`MAX_DEPTH`] levels of JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value as Json;
use thiserror::Error;

use super::conform::{kind_mismatch, missing_or_unsupported};
use super::failure::{Failure, too_deep};
use super::value::normalize;
use super::{Number, NumberError, ObjectType, Path, PathStep, Type, Value, ValueKind, canonical, type_json};
use crate::limits::MAX_DEPTH;

/// Why JSON is not a value of a type, or a value has no JSON form.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{message}", super::msgpack::at(path))]
pub struct JsonError {
    /// Where in the value.
    pub path: Path,
    /// What is wrong there; never quotes the value.
    pub message: String,
}

impl From<Failure> for JsonError {
    fn from(failure: Failure) -> Self {
        let (path, message) = failure.into_parts();
        Self { path, message }
    }
}

/// Reads a value of type `ty` from JSON text.
///
/// # Errors
/// The text is not such a value, or exceeds [`crate::limits`].
pub fn decode(bytes: &[u8], ty: &Type) -> Result<Value, JsonError> {
    // The parser's message says where in the text, and quotes none of it beyond a character.
    let json: Json = serde_json::from_slice(bytes).map_err(|error| Failure::new(format!("invalid JSON: {error}")))?;
    from_json(&json, ty)
}

/// Reads a value of type `ty` from parsed JSON. Attributes that are absent become null, and primitives convert where
/// nothing is lost: `"5"` to a number, `5` to a string, `"true"` to a bool and back.
///
/// # Errors
/// As [`decode`].
pub fn from_json(json: &Json, ty: &Type) -> Result<Value, JsonError> {
    Ok(read(json, &ty.to_value_type(), MAX_DEPTH)?)
}

/// The JSON of a value as type `ty`, keys in order. Marks are dropped.
///
/// # Errors
/// The value does not conform to the type or is not wholly known.
pub fn to_json(value: &Value, ty: &Type) -> Result<Json, JsonError> {
    Ok(write(value, ty, MAX_DEPTH)?)
}

/// The type that JSON would have if nothing else is known of it: objects and tuples, as Terraform's `jsondecode`.
#[must_use]
pub fn implied_type(json: &Json) -> Type {
    match json {
        Json::Null => Type::Dynamic,
        Json::Bool(_) => Type::Bool,
        Json::Number(_) => Type::Number,
        Json::String(_) => Type::String,
        Json::Array(items) => Type::tuple(items.iter().map(implied_type)),
        Json::Object(entries) => {
            Type::object(entries.iter().map(|(name, value)| (normalize(name), implied_type(value))))
        }
    }
}

fn read(json: &Json, ty: &Type, depth: usize) -> Result<Value, Failure> {
    if json.is_null() {
        return Ok(Value::null(ty.clone()));
    }
    match ty {
        Type::Bool => return read_bool(json),
        Type::Number => return read_number(json),
        Type::String => return read_string(json),
        _ => {}
    }
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    match (ty, json) {
        (Type::List(element), Json::Array(items)) => {
            Ok(canonical::list(element, read_elements(items, element, depth)?))
        }
        (Type::Set(element), Json::Array(items)) => Ok(canonical::set(element, read_elements(items, element, depth)?)),
        (Type::Map(element), Json::Object(entries)) => read_map(entries, element, depth),
        (Type::Object(object), Json::Object(entries)) => read_object(entries, object, depth),
        (Type::Tuple(types), Json::Array(items)) => read_tuple(items, types, depth),
        (Type::Dynamic, Json::Object(entries)) => read_dynamic(entries, depth),
        (Type::List(_) | Type::Set(_) | Type::Tuple(_), _) => Err(Failure::new("an array is required")),
        _ => Err(Failure::new("an object is required")),
    }
}

fn read_bool(json: &Json) -> Result<Value, Failure> {
    match json {
        Json::Bool(value) => Ok(Value::bool(*value)),
        Json::String(text) => super::convert::parse_bool(text).map(Value::bool).map_err(Failure::new),
        _ => Err(Failure::new("bool is required")),
    }
}

fn read_number(json: &Json) -> Result<Value, Failure> {
    let number: Result<Number, NumberError> = match json {
        Json::Number(number) => number.as_str().parse(),
        Json::String(text) => text.parse(),
        _ => Err(NumberError::NotANumber),
    };
    number.map(Value::number).map_err(|error| Failure::new(error.to_string()))
}

/// A number keeps the digits it was written with, as in go-cty (but the parser writes `1e3` as `1e+3`).
fn read_string(json: &Json) -> Result<Value, Failure> {
    match json {
        Json::String(text) => Ok(Value::string(text)),
        Json::Number(number) => Ok(Value::string(number.as_str())),
        Json::Bool(value) => Ok(Value::string(if *value { "true" } else { "false" })),
        _ => Err(Failure::new("string is required")),
    }
}

fn read_elements(items: &[Json], element: &Type, depth: usize) -> Result<Vec<Value>, Failure> {
    let read_one =
        |(index, item): (usize, &Json)| read(item, element, depth).map_err(|failure| failure.at_index(index));
    items.iter().enumerate().map(read_one).collect()
}

fn read_map(entries: &serde_json::Map<String, Json>, element: &Type, depth: usize) -> Result<Value, Failure> {
    let mut values = Vec::with_capacity(entries.len());
    for (key, json) in entries {
        let key = normalize(key);
        match read(json, element, depth) {
            Ok(value) => values.push((key, value)),
            Err(failure) => return Err(failure.within(PathStep::Key(key))),
        }
    }
    Ok(canonical::map(element, values))
}

fn read_object(entries: &serde_json::Map<String, Json>, object: &ObjectType, depth: usize) -> Result<Value, Failure> {
    let mut attributes = BTreeMap::new();
    for (given, json) in entries {
        let known = object.attributes.get_key_value(given.as_str());
        let Some((name, ty)) = known.or_else(|| object.attributes.get_key_value(&*normalize(given))) else {
            return Err(Failure::new(format!("unsupported attribute {given:?}")));
        };
        match read(json, ty, depth) {
            Ok(value) => attributes.insert(Arc::clone(name), value),
            Err(failure) => return Err(failure.within(PathStep::Attribute(Arc::clone(name)))),
        };
    }
    if attributes.len() < object.attributes.len() {
        for (name, ty) in &object.attributes {
            attributes.entry(Arc::clone(name)).or_insert_with(|| Value::null(ty.clone()));
        }
    }
    Ok(ValueKind::Object(Arc::new(attributes)).into())
}

fn read_tuple(items: &[Json], types: &[Type], depth: usize) -> Result<Value, Failure> {
    if items.len() != types.len() {
        let amount = if items.len() > types.len() { "too many" } else { "not enough" };
        return Err(Failure::new(format!("{amount} tuple elements (need {})", types.len())));
    }
    let read_one =
        |(index, (item, ty)): (usize, (&Json, &Type))| read(item, ty, depth).map_err(|failure| failure.at_index(index));
    let items: Result<Vec<Value>, Failure> = items.iter().zip(types).enumerate().map(read_one).collect();
    items.map(Value::tuple)
}

fn read_dynamic(entries: &serde_json::Map<String, Json>, depth: usize) -> Result<Value, Failure> {
    if let Some(key) = entries.keys().find(|key| !matches!(key.as_str(), "type" | "value")) {
        return Err(Failure::new(format!("invalid key {key:?} in dynamically-typed value")));
    }
    let ty = entries.get("type").ok_or_else(|| Failure::new("missing type in dynamically-typed value"))?;
    let value = entries.get("value").ok_or_else(|| Failure::new("missing value in dynamically-typed value"))?;
    // Types are small; going through their text keeps a single reader of them.
    let ty =
        type_json::decode_within(ty.to_string().as_bytes(), depth).map_err(|error| Failure::new(error.to_string()))?;
    read(value, &ty.to_value_type(), depth)
}

fn write(value: &Value, ty: &Type, depth: usize) -> Result<Json, Failure> {
    if !value.is_known() {
        return Err(Failure::new("value is not known"));
    }
    if *ty == Type::Dynamic {
        return write_dynamic(value, depth);
    }
    match (value.kind(), ty) {
        (ValueKind::Null(_), _) => return Ok(Json::Null),
        (ValueKind::Bool(value), Type::Bool) => return Ok(Json::Bool(*value)),
        (ValueKind::String(text), Type::String) => return Ok(Json::from(&**text)),
        (ValueKind::Number(number), Type::Number) => return write_number(number),
        _ => {}
    }
    let depth = depth.checked_sub(1).ok_or_else(too_deep)?;
    match (value.kind(), ty) {
        (ValueKind::List(_, items), Type::List(element)) | (ValueKind::Set(_, items), Type::Set(element)) => {
            write_elements(items.iter().map(|item| (item, &**element)), depth)
        }
        (ValueKind::Tuple(items), Type::Tuple(types)) if items.len() == types.len() => {
            write_elements(items.iter().zip(types.iter()), depth)
        }
        (ValueKind::Map(_, entries), Type::Map(element)) => {
            let mut json = serde_json::Map::with_capacity(entries.len());
            for (key, item) in entries.iter() {
                let item =
                    write(item, element, depth).map_err(|failure| failure.within(PathStep::Key(Arc::clone(key))))?;
                json.insert(key.to_string(), item);
            }
            Ok(Json::Object(json))
        }
        (ValueKind::Object(attributes), Type::Object(object)) => write_object(attributes, object, depth),
        _ => Err(kind_mismatch(value, ty)),
    }
}

fn write_number(number: &Number) -> Result<Json, Failure> {
    if let Some(integer) = number.to_i64() {
        return Ok(Json::from(integer));
    }
    // The text of a number is always JSON, so this cannot fail.
    let number: serde_json::Number =
        number.to_string().parse().map_err(|_| Failure::new("the number has no JSON form"))?;
    Ok(Json::Number(number))
}

fn write_elements<'v>(items: impl Iterator<Item = (&'v Value, &'v Type)>, depth: usize) -> Result<Json, Failure> {
    let write_one = |(index, (item, ty)): (usize, (&Value, &Type))| {
        write(item, ty, depth).map_err(|failure| failure.at_index(index))
    };
    let items: Result<Vec<Json>, Failure> = items.enumerate().map(write_one).collect();
    items.map(Json::Array)
}

fn write_object(attributes: &BTreeMap<Arc<str>, Value>, object: &ObjectType, depth: usize) -> Result<Json, Failure> {
    if !attributes.keys().eq(object.attributes.keys()) {
        return Err(missing_or_unsupported(attributes, object));
    }
    let mut json = serde_json::Map::with_capacity(attributes.len());
    for ((name, value), ty) in attributes.iter().zip(object.attributes.values()) {
        let value = write(value, ty, depth).map_err(|failure| failure.within(PathStep::Attribute(Arc::clone(name))))?;
        json.insert(name.to_string(), value);
    }
    Ok(Json::Object(json))
}

fn write_dynamic(value: &Value, depth: usize) -> Result<Json, Failure> {
    let ty = value.ty();
    if ty == Type::Dynamic {
        return Ok(Json::Null);
    }
    let depth = depth.checked_sub(1).filter(|depth| ty.depth() <= *depth).ok_or_else(too_deep)?;
    let mut json = serde_json::Map::with_capacity(2);
    json.insert("value".to_owned(), write(value, &ty, depth)?);
    json.insert("type".to_owned(), type_json::to_json(&ty));
    Ok(Json::Object(json))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> Json {
        serde_json::from_str(text).unwrap()
    }

    fn check(text: &str, value: &Value, ty: &Type) {
        assert_eq!(decode(text.as_bytes(), ty).unwrap(), *value, "{text}");
        assert_eq!(to_json(value, ty).unwrap().to_string(), text);
    }

    #[test]
    fn values_keep_their_digits() {
        let long = "123456789012345678901234567890.12345678901234567890123456789";
        check(long, &Value::number(long.parse::<Number>().unwrap()), &Type::Number);
        check("0.1", &Value::number("0.1".parse::<Number>().unwrap()), &Type::Number);
        let plain = to_json(&Value::number("1e-7".parse::<Number>().unwrap()), &Type::Number).unwrap();
        assert_eq!(plain.to_string(), "0.0000001");
    }

    #[test]
    fn primitives_convert_where_nothing_is_lost() {
        let read = |text: &str, ty: &Type| from_json(&json(text), ty).unwrap();
        assert_eq!(read("\"5\"", &Type::Number), Value::number(5));
        assert_eq!(read("5.50", &Type::String), Value::string("5.50"));
        assert_eq!(read("true", &Type::String), Value::string("true"));
        assert_eq!(read("\"true\"", &Type::Bool), Value::bool(true));
        assert_eq!(from_json(&json("1"), &Type::Bool).unwrap_err().to_string(), "bool is required");
    }

    #[test]
    fn absent_attributes_become_null_and_unsupported_ones_are_refused() {
        let ty = Type::object([("a", Type::String), ("b", Type::list(Type::Number))]);
        let value = Value::object([("a", Value::string("x")), ("b", Value::null(Type::list(Type::Number)))]);
        assert_eq!(from_json(&json(r#"{"a":"x"}"#), &ty).unwrap(), value);
        check(r#"{"a":"x","b":null}"#, &value, &ty);
        assert_eq!(from_json(&json(r#"{"c":1}"#), &ty).unwrap_err().to_string(), "unsupported attribute \"c\"");
        let wrong = from_json(&json(r#"{"b":[1,"x"]}"#), &ty).unwrap_err();
        assert_eq!(wrong.to_string(), "b[1]: a number is required");
    }

    #[test]
    fn dynamic_values_bring_their_type() {
        check(r#"{"value":"a","type":"string"}"#, &Value::string("a"), &Type::Dynamic);
        check(r#"{"value":null,"type":"string"}"#, &Value::null(Type::String), &Type::Dynamic);
        check("null", &Value::null(Type::Dynamic), &Type::Dynamic);
        let tuple = Value::tuple([Value::object([("x", Value::bool(true))])]);
        check(r#"{"value":[{"x":true}],"type":["tuple",[["object",{"x":"bool"}]]]}"#, &tuple, &Type::Dynamic);
        let failure = |text: &str| from_json(&json(text), &Type::Dynamic).unwrap_err().to_string();
        assert_eq!(failure(r#"{"value":1}"#), "missing type in dynamically-typed value");
        assert_eq!(failure(r#"{"value":1,"type":"number","x":1}"#), "invalid key \"x\" in dynamically-typed value");
    }

    #[test]
    fn json_alone_implies_objects_and_tuples() {
        let text = json(r#"{"a":[1,"x",null],"b":{"c":true}}"#);
        let expected = Type::object([
            ("a", Type::tuple([Type::Number, Type::String, Type::Dynamic])),
            ("b", Type::object([("c", Type::Bool)])),
        ]);
        assert_eq!(implied_type(&text), expected);
        let value = from_json(&text, &expected).unwrap();
        assert_eq!(value.ty(), expected);
        assert_eq!(to_json(&value, &expected).unwrap(), text);
    }

    #[test]
    fn unknowns_have_no_json() {
        let value = Value::object([("a", Value::unknown(Type::String))]);
        assert_eq!(to_json(&value, &value.ty()).unwrap_err().to_string(), "a: value is not known");
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let text = "[".repeat(100_000);
        assert!(decode(text.as_bytes(), &Type::Dynamic).is_err());
        let mut deep = Json::from("x");
        let mut ty = Type::String;
        for _ in 0..=MAX_DEPTH {
            deep = Json::Array(vec![deep]);
            ty = Type::list(ty);
        }
        assert!(from_json(&deep, &ty).unwrap_err().to_string().ends_with("nested more than 128 levels deep"));
        assert!(from_json(&deep[0], ty.element().unwrap()).is_ok());
    }
}
