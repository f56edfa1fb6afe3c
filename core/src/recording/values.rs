//! Values as they are recorded: JSON that people can read, with what JSON cannot say as objects of members that begin with
//! `$`. Members of values that begin with `$` have another one before it.
//!
//! | value | JSON |
//! |---|---|
//! | unknown | `{"$unknown": true}` |
//! | unknown, but something is known of it | `{"$unknown": "…"}`: its MessagePack in base64 |
//! | of a type that only the value tells | `{"$type": "string", "$value": …}`, the type as Terraform writes it |
//! | number | a number with all its digits |

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json, json};

use super::Placeholders;
use crate::cty::{self, Marks, Type, Value, ValueKind, type_json};
use crate::limits::MAX_DEPTH;

/// The value as it is recorded, as type `ty`. Where it has a mark, placeholders stand for all of it.
#[must_use]
pub fn to_json(value: &Value, ty: &Type, placeholders: &Placeholders) -> Json {
    let mut json = unmasked(value, ty, placeholders);
    if !value.marks().is_empty() {
        placeholders.replace(&mut json);
    }
    json
}

fn unmasked(value: &Value, ty: &Type, placeholders: &Placeholders) -> Json {
    if let (Type::Dynamic, true) = (ty, value.is_known() && !value.is_null()) {
        let own = value.ty();
        let named: Json = serde_json::from_slice(&type_json::encode(&own)).unwrap_or(Json::Null);
        return json!({"$type": named, "$value": unmasked(value, &own, placeholders)});
    }
    let part = |value: &Value, ty: Option<&Type>| to_json(value, ty.unwrap_or(&Type::Dynamic), placeholders);
    match value.kind() {
        ValueKind::Null(_) => Json::Null,
        ValueKind::Unknown(_, None) => json!({"$unknown": true}),
        ValueKind::Unknown(_, Some(_)) => match cty::msgpack::encode(value, ty) {
            Ok(bytes) => json!({"$unknown": STANDARD.encode(bytes)}),
            Err(_) => json!({"$unknown": true}),
        },
        ValueKind::Bool(value) => (*value).into(),
        ValueKind::Number(number) => serde_json::from_str(&number.to_string()).unwrap_or(Json::Null),
        ValueKind::String(text) => (&**text).into(),
        ValueKind::List(_, items) | ValueKind::Set(_, items) => {
            items.iter().map(|item| part(item, ty.element())).collect()
        }
        ValueKind::Tuple(items) => {
            let types: &[Type] = if let Type::Tuple(types) = ty { types } else { &[] };
            items.iter().enumerate().map(|(index, item)| part(item, types.get(index))).collect()
        }
        ValueKind::Map(_, entries) => {
            Json::Object(entries.iter().map(|(key, value)| (guarded(key), part(value, ty.element()))).collect())
        }
        ValueKind::Object(entries) => {
            let types = ty.as_object();
            let entries = entries.iter().map(|(name, value)| {
                (guarded(name), part(value, types.and_then(|object| object.attributes.get(name))))
            });
            Json::Object(entries.collect())
        }
    }
}

/// The value of type `ty` that was recorded.
///
/// # Errors
/// The JSON is no such value; says where.
pub fn from_json(json: &Json, ty: &Type) -> Result<Value, String> {
    read(json, ty, MAX_DEPTH)
}

fn read(json: &Json, ty: &Type, depth: usize) -> Result<Value, String> {
    let depth = depth.checked_sub(1).ok_or("it is nested too deeply")?;
    let each = |items: &[Json], element: &Type| -> Result<Vec<Value>, String> {
        let item = |(index, item)| read(item, element, depth).map_err(|error| format!("[{index}]: {error}"));
        items.iter().enumerate().map(item).collect()
    };
    let inside =
        |name: &str, json: &Json, ty: &Type| read(json, ty, depth).map_err(|error| format!(".{name}: {error}"));
    match (ty, json) {
        (_, Json::Null) => Ok(Value::null(ty.clone())),
        (_, Json::Object(members)) if members.contains_key("$unknown") => unknown(&members["$unknown"], ty),
        (Type::Dynamic, Json::Object(members)) if members.contains_key("$type") => {
            let own = type_json::decode(members["$type"].to_string().as_bytes()).map_err(|error| error.to_string())?;
            read(members.get("$value").unwrap_or(&Json::Null), &own, depth)
        }
        (Type::List(element), Json::Array(items)) => Ok(Value::list((**element).clone(), each(items, element)?)),
        (Type::Set(element), Json::Array(items)) => Ok(Value::set((**element).clone(), each(items, element)?)),
        (Type::Tuple(types), Json::Array(items)) => {
            let typed = items.iter().zip(types.iter()).map(|(item, ty)| read(item, ty, depth));
            Ok(Value::tuple(typed.collect::<Result<Vec<_>, _>>()?))
        }
        (Type::Map(element), Json::Object(members)) => {
            let entry = |(key, json): (&String, &Json)| Ok((unguarded(key).to_owned(), inside(key, json, element)?));
            Ok(Value::map((**element).clone(), members.iter().map(entry).collect::<Result<Vec<_>, String>>()?))
        }
        (Type::Object(object), Json::Object(members)) => object_value(members, object, inside),
        (Type::Bool | Type::Number | Type::String, Json::Bool(_) | Json::Number(_) | Json::String(_)) => {
            cty::json::from_json(json, ty).map_err(|error| error.to_string())
        }
        _ => Err(format!("this is no value of type {ty}")),
    }
}

fn object_value(
    members: &Map<String, Json>,
    object: &cty::ObjectType,
    inside: impl Fn(&str, &Json, &Type) -> Result<Value, String>,
) -> Result<Value, String> {
    let attribute = |(name, ty): (&Arc<str>, &Type)| {
        let json = members.get(guarded(name).as_str()).unwrap_or(&Json::Null);
        Ok((Arc::clone(name), inside(name, json, ty)?))
    };
    Ok(Value::object(object.attributes.iter().map(attribute).collect::<Result<Vec<_>, String>>()?))
}

fn unknown(told: &Json, ty: &Type) -> Result<Value, String> {
    let Some(text) = told.as_str() else { return Ok(Value::unknown(ty.clone())) };
    let bytes = STANDARD.decode(text).map_err(|error| error.to_string())?;
    cty::msgpack::decode(&bytes, ty).map_err(|error| error.to_string())
}

fn guarded(name: &str) -> String {
    if name.starts_with('$') { format!("${name}") } else { name.to_owned() }
}

fn unguarded(name: &str) -> &str {
    if name.starts_with("$$") { &name[1..] } else { name }
}

/// The value with the marks that `from` has at the same places, as Terraform puts them back on a provider's answer.
#[must_use]
pub fn carry_marks(from: &Value, value: Value) -> Value {
    if from.marks_deep().is_empty() || value.is_null() {
        return value;
    }
    let marks = value.marks().union(from.marks());
    let items = |items: &[Value]| -> Vec<Value> {
        let from = from.as_elements().unwrap_or_default();
        let carried = items.iter().enumerate().map(|(index, item)| match from.get(index) {
            Some(from) => carry_marks(from, item.clone()),
            None => item.clone(),
        });
        carried.collect()
    };
    let entry = |key: &Arc<str>, value: &Value| {
        let from = from.as_entries().and_then(|entries| entries.get(key));
        (Arc::clone(key), from.map_or_else(|| value.clone(), |from| carry_marks(from, value.clone())))
    };
    let carried = match value.kind() {
        ValueKind::List(ty, list) => Value::list(ty.clone(), items(list)),
        ValueKind::Tuple(tuple) => Value::tuple(items(tuple)),
        ValueKind::Map(ty, map) => Value::map(ty.clone(), map.iter().map(|(key, value)| entry(key, value))),
        ValueKind::Object(object) => Value::object(object.iter().map(|(key, value)| entry(key, value))),
        _ => value,
    };
    if marks == Marks::NONE { carried } else { carried.with_marks(marks) }
}
