//! Values between Terraform and scripts: cty on one side, JSON on the other.
//!
//! Numbers keep every digit on our side; a script that computes with JavaScript's numbers cannot, and that is not taken
//! for a change. Sets, lists and tuples are arrays to a script, maps and objects are objects. So the way back needs help:
//! [`reconcile`] keeps the type of what was there before.

use std::str::FromStr;
use std::sync::Arc;

use denobridge_core::cty::{Number, NumberError, Type, Value, ValueKind};
use denobridge_core::limits::MAX_DEPTH;
use serde_json::{Map, Value as Json};
use thiserror::Error;

/// A value inside an attribute is nested in it and in the resource.
const DEEPEST: usize = MAX_DEPTH - 2;

/// Why JSON from a script cannot be a value.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub(crate) enum ValueError {
    /// A number that is too long.
    #[error("a number in it is not usable: {0}")]
    Number(#[from] NumberError),
    /// Too many arrays and objects in each other.
    #[error("it is nested more than {DEEPEST} levels deep")]
    TooDeep,
}

/// The JSON that a script gets for a value; what is unknown is null.
pub(crate) fn to_json(value: &Value) -> Json {
    Writer { unknown: None }.write(value)
}

/// The JSON for a value that may be unknown in parts, and where it is. Paths start with `root`.
pub(crate) fn to_json_with_unknowns(value: &Value, root: &str) -> (Json, Vec<Vec<Json>>) {
    let mut unknown = Unknown { path: vec![root.into()], found: Vec::new() };
    let json = Writer { unknown: Some(&mut unknown) }.write(value);
    (json, unknown.found)
}

struct Unknown {
    path: Vec<Json>,
    found: Vec<Vec<Json>>,
}

struct Writer<'u> {
    unknown: Option<&'u mut Unknown>,
}

impl Writer<'_> {
    fn write(&mut self, value: &Value) -> Json {
        match value.kind() {
            ValueKind::Null(_) => Json::Null,
            ValueKind::Unknown(..) => {
                if let Some(unknown) = &mut self.unknown {
                    unknown.found.push(unknown.path.clone());
                }
                Json::Null
            }
            ValueKind::Bool(value) => Json::Bool(*value),
            ValueKind::String(text) => Json::String(text.to_string()),
            ValueKind::Number(number) => number_json(number),
            ValueKind::List(_, items) | ValueKind::Set(_, items) | ValueKind::Tuple(items) => {
                items.iter().enumerate().map(|(index, item)| self.part(index.into(), item)).collect()
            }
            ValueKind::Map(_, entries) | ValueKind::Object(entries) => entries
                .iter()
                .map(|(name, item)| (name.to_string(), self.part(Json::from(&**name), item)))
                .collect::<Map<_, _>>()
                .into(),
        }
    }

    fn part(&mut self, step: Json, value: &Value) -> Json {
        if let Some(unknown) = &mut self.unknown {
            unknown.path.push(step);
        }
        let json = self.write(value);
        if let Some(unknown) = &mut self.unknown {
            unknown.path.pop();
        }
        json
    }
}

fn number_json(number: &Number) -> Json {
    // The text of a number is always a JSON number; null stands for the impossible.
    serde_json::Number::from_str(&number.to_string()).map_or(Json::Null, Json::Number)
}

fn json_number(number: &serde_json::Number) -> Result<Number, NumberError> {
    Number::from_str(number.as_str())
}

/// What JSON is when nothing else is known of it. An array whose items are of one type is a list of it, so that users can
/// index and iterate it; any other array, also an empty one, is a tuple.
pub(crate) fn from_json(json: &Json) -> Result<Value, ValueError> {
    infer(json, DEEPEST)
}

fn infer(json: &Json, depth: usize) -> Result<Value, ValueError> {
    let inner = |depth: usize| depth.checked_sub(1).ok_or(ValueError::TooDeep);
    Ok(match json {
        Json::Null => Value::null(Type::Dynamic),
        Json::Bool(value) => Value::bool(*value),
        Json::String(text) => Value::string(text),
        Json::Number(number) => Value::number(json_number(number)?),
        Json::Array(items) => {
            let depth = inner(depth)?;
            array(items.iter().map(|item| infer(item, depth)).collect::<Result<_, _>>()?)
        }
        Json::Object(members) => {
            let depth = inner(depth)?;
            let attributes = members.iter().map(|(name, item)| Ok((normal(name), infer(item, depth)?)));
            Value::object(attributes.collect::<Result<Vec<_>, ValueError>>()?)
        }
    })
}

fn array(items: Vec<Value>) -> Value {
    let Some(first) = items.first().map(Value::ty) else { return Value::tuple([]) };
    // A null has no type of its own, and a list of what may be anything is none that Terraform could hold.
    if !first.has_dynamic() && items.iter().all(|item| item.ty() == first) {
        return Value::list(first, items);
    }
    Value::tuple(items)
}

/// A name in normalisation form C, as Terraform has all text.
fn normal(name: &str) -> Arc<str> {
    if name.is_ascii() {
        return Arc::from(name);
    }
    match Value::string(name).into_kind() {
        ValueKind::String(text) => text,
        _ => Arc::from(name),
    }
}

/// What JSON is in the place of `prior`. Parts that say the same as before keep their value and type, and what differs
/// takes the kind of collection that was there where it fits.
pub(super) fn reconcile(prior: &Value, json: &Json) -> Result<Value, ValueError> {
    merge(prior, json, DEEPEST)
}

fn merge(prior: &Value, json: &Json, depth: usize) -> Result<Value, ValueError> {
    if says_the_same(prior, json) {
        return Ok(prior.clone());
    }
    let Some(inner) = depth.checked_sub(1) else { return Err(ValueError::TooDeep) };
    match (prior.kind(), json) {
        (ValueKind::Object(before), Json::Object(members)) => {
            let attributes = members.iter().map(|(name, item)| {
                let name = normal(name);
                let value = match before.get(&name) {
                    Some(prior) => merge(prior, item, inner)?,
                    None => infer(item, inner)?,
                };
                Ok((name, value))
            });
            Ok(Value::object(attributes.collect::<Result<Vec<_>, ValueError>>()?))
        }
        (ValueKind::Tuple(before), Json::Array(items)) => {
            let items = items.iter().enumerate().map(|(index, item)| match before.get(index) {
                Some(prior) => merge(prior, item, inner),
                None => infer(item, inner),
            });
            Ok(Value::tuple(items.collect::<Result<Vec<_>, _>>()?))
        }
        (ValueKind::List(..) | ValueKind::Set(..) | ValueKind::Map(..) | ValueKind::Null(_), _) => {
            match typed(json, &prior.ty(), depth)? {
                Some(value) => Ok(value),
                None => infer(json, depth),
            }
        }
        _ => infer(json, depth),
    }
}

/// JSON as a value of a type, if it is one without any conversion.
fn typed(json: &Json, ty: &Type, depth: usize) -> Result<Option<Value>, ValueError> {
    let Some(inner) = depth.checked_sub(1) else { return Err(ValueError::TooDeep) };
    let items = |items: &[Json], element: &Type| -> Result<Option<Vec<Value>>, ValueError> {
        items.iter().map(|item| typed(item, element, inner).transpose()).collect::<Option<Result<_, _>>>().transpose()
    };
    Ok(match (ty, json) {
        (Type::Dynamic, _) => Some(infer(json, depth)?),
        (_, Json::Null) => Some(Value::null(ty.clone())),
        (Type::String, Json::String(text)) => Some(Value::string(text)),
        (Type::Bool, Json::Bool(value)) => Some(Value::bool(*value)),
        (Type::Number, Json::Number(number)) => Some(Value::number(json_number(number)?)),
        (Type::List(element), Json::Array(array)) => {
            items(array, element)?.map(|items| Value::list((**element).clone(), items))
        }
        (Type::Set(element), Json::Array(array)) => {
            items(array, element)?.map(|items| Value::set((**element).clone(), items))
        }
        (Type::Map(element), Json::Object(members)) => {
            let entries = members.iter().filter_map(|(key, item)| {
                typed(item, element, inner).transpose().map(|value| value.map(|value| (key, value)))
            });
            let entries = entries.collect::<Result<Vec<_>, _>>()?;
            (entries.len() == members.len()).then(|| Value::map((**element).clone(), entries))
        }
        (Type::Tuple(types), Json::Array(array)) if types.len() == array.len() => {
            let items = array.iter().zip(types.iter()).map(|(item, ty)| typed(item, ty, inner).transpose());
            items.collect::<Option<Result<Vec<_>, _>>>().transpose()?.map(Value::tuple)
        }
        (Type::Object(object), Json::Object(members)) if object.attributes.len() == members.len() => {
            let attributes = members.iter().map(|(name, item)| {
                let name = normal(name);
                let ty = object.attributes.get(&name)?;
                typed(item, ty, inner).transpose().map(|value| value.map(|value| (name, value)))
            });
            attributes.collect::<Option<Result<Vec<_>, _>>>().transpose()?.map(Value::object)
        }
        _ => None,
    })
}

/// Whether JSON from a script says what the value says, as far as JSON can.
pub(super) fn says_the_same(value: &Value, json: &Json) -> bool {
    match (value.kind(), json) {
        (ValueKind::Null(_), Json::Null) => true,
        (ValueKind::Bool(left), Json::Bool(right)) => left == right,
        (ValueKind::String(left), Json::String(right)) => {
            **left == **right || (!right.is_ascii() && **left == *normal(right))
        }
        (ValueKind::Number(left), Json::Number(right)) => same_number(left, right),
        (ValueKind::List(_, left) | ValueKind::Tuple(left), Json::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| says_the_same(left, right))
        }
        (ValueKind::Set(_, left), Json::Array(right)) => same_set(left, right),
        (ValueKind::Map(_, left) | ValueKind::Object(left), Json::Object(right)) => {
            left.len() == right.len()
                && right
                    .iter()
                    .all(|(name, right)| left.get(&normal(name)).is_some_and(|left| says_the_same(left, right)))
        }
        _ => false,
    }
}

/// Equal, or what JavaScript writes for a number that it could not hold: 9007199254740993 comes back as
/// 9007199254740992.
fn same_number(value: &Number, json: &serde_json::Number) -> bool {
    let Ok(number) = json_number(json) else { return false };
    number == *value || Number::from_str(&value.to_f64().to_string()).is_ok_and(|rounded| rounded == number)
}

/// The order of a set means nothing, and a script may repeat elements.
fn same_set(elements: &[Value], items: &[Json]) -> bool {
    let mut missing: Vec<bool> = vec![true; elements.len()];
    let known = items.iter().all(|item| {
        let position = elements.iter().position(|element| says_the_same(element, item));
        if let Some(missing) = position.and_then(|position| missing.get_mut(position)) {
            *missing = false;
        }
        position.is_some()
    });
    known && !missing.contains(&true)
}

/// Where `json` differs from what was `sent`, as users write it, for messages. `None` when it does not.
pub(super) fn first_difference(sent: &Value, json: &Json, path: &str) -> Option<String> {
    if says_the_same(sent, json) || !sent.is_known() {
        return None;
    }
    match (sent.kind(), json) {
        (ValueKind::Map(_, left) | ValueKind::Object(left), Json::Object(right)) => {
            let added_or_changed = right.iter().find_map(|(name, item)| match left.get(&normal(name)) {
                Some(sent) => first_difference(sent, item, &format!("{path}.{name}")),
                None => Some(format!("{path}.{name}")),
            });
            added_or_changed.or_else(|| {
                let gone = left.keys().find(|name| !right.contains_key(&***name))?;
                Some(format!("{path}.{gone}"))
            })
        }
        (ValueKind::List(_, left) | ValueKind::Tuple(left), Json::Array(right)) if left.len() == right.len() => {
            let mut pairs = left.iter().zip(right).enumerate();
            pairs.find_map(|(index, (left, right))| first_difference(left, right, &format!("{path}[{index}]")))
        }
        _ => Some(path.to_owned()),
    }
}

#[cfg(test)]
mod tests;
