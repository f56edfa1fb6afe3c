//! Conversion of a value for which [`super::convertible`] has found a conversion.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Mode, convert, convertible, dynamic, element_type, mismatch, primitive};
use crate::cty::failure::Failure;
use crate::cty::{ObjectType, PathStep, Type, Value, ValueKind, unify};

/// The value as type `wanted`. `given` is the type it is declared with: its own, or dynamic for an element of a collection
/// of dynamic.
pub(super) fn apply(value: &Value, given: &Type, wanted: &Type, mode: Mode) -> Result<Value, Failure> {
    if given == wanted || *wanted == Type::Dynamic {
        return Ok(value.clone());
    }
    let converted = match dynamic::convert(value, wanted) {
        Some(converted) => converted,
        None => known(value, given, wanted, mode)?,
    };
    Ok(converted.with_marks(value.marks()))
}

fn known(value: &Value, given: &Type, wanted: &Type, mode: Mode) -> Result<Value, Failure> {
    match (value.kind(), given, wanted) {
        // Only now is it seen what the value is.
        (_, Type::Dynamic, _) => convert(value, wanted).map_err(|error| {
            let steps = error.path.steps().iter().rev().cloned();
            steps.fold(Failure::new(error.message), Failure::within)
        }),
        (ValueKind::Object(attributes), Type::Object(given), Type::Object(wanted)) => {
            object_to_object(attributes, given, wanted, mode)
        }
        (ValueKind::Tuple(items), Type::Tuple(given), Type::Tuple(wanted)) => {
            let pairs = given.iter().zip(wanted.iter());
            Ok(Value::tuple(each(items.iter().zip(pairs), |item, (given, wanted)| apply(item, given, wanted, mode))?))
        }
        (ValueKind::Tuple(items), Type::Tuple(types), Type::List(_) | Type::Set(_)) => {
            tuple_to_collection(items, types, wanted, mode)
        }
        (ValueKind::List(_, items) | ValueKind::Set(_, items), _, Type::List(_) | Type::Set(_)) => {
            collection_to_collection(value, items, wanted, mode)
        }
        (ValueKind::Map(element, entries), _, Type::Map(wanted)) => map_to_map(entries, element, wanted, mode),
        (ValueKind::Map(element, entries), _, Type::Object(wanted)) => map_to_object(entries, element, wanted, mode),
        (ValueKind::Object(attributes), Type::Object(given), Type::Map(wanted)) => {
            object_to_map(attributes, given, wanted, mode)
        }
        _ => primitive::convert(value, wanted),
    }
}

/// Converts items one by one; a failure names the position.
fn each<'v, T>(
    items: impl Iterator<Item = (&'v Value, T)>,
    convert: impl Fn(&Value, T) -> Result<Value, Failure>,
) -> Result<Vec<Value>, Failure> {
    items
        .enumerate()
        .map(|(index, (item, types))| convert(item, types).map_err(|failure| failure.at_index(index)))
        .collect()
}

fn object_to_object(
    attributes: &BTreeMap<Arc<str>, Value>,
    given: &ObjectType,
    wanted: &ObjectType,
    mode: Mode,
) -> Result<Value, Failure> {
    let mut converted = BTreeMap::new();
    for (name, wanted) in &wanted.attributes {
        let value = match (attributes.get(name), given.attributes.get(name)) {
            (Some(value), Some(given)) => apply(value, given, wanted, mode)
                .map_err(|failure| failure.within(PathStep::Attribute(Arc::clone(name))))?,
            // Only optional attributes may be absent.
            _ => Value::null(wanted.without_optional()),
        };
        converted.insert(Arc::clone(name), value);
    }
    Ok(ValueKind::Object(Arc::new(converted)).into())
}

fn tuple_to_collection(items: &[Value], types: &[Type], wanted: &Type, mode: Mode) -> Result<Value, Failure> {
    let is_set = matches!(wanted, Type::Set(_));
    let wanted = wanted.element().unwrap_or(&Type::Dynamic);
    if types.is_empty() {
        return Ok(collection(is_set, wanted.without_optional(), Vec::new()));
    }
    let element = element_type(types.iter(), wanted, mode, true)
        .ok_or_else(|| Failure::new("cannot find a common base type for all elements"))?;
    let mut items = each(items.iter().zip(types), |item, given| apply(item, given, &element, mode))?;
    if !is_set {
        unify_parts(items.iter_mut(), mode)?;
    }
    collect(is_set, items)
}

fn collection_to_collection(value: &Value, items: &[Value], wanted: &Type, mode: Mode) -> Result<Value, Failure> {
    let is_set = matches!(wanted, Type::Set(_));
    let wanted = wanted.element().unwrap_or(&Type::Dynamic);
    let given = match value.kind() {
        ValueKind::List(given, _) | ValueKind::Set(given, _) => given,
        _ => &Type::Dynamic,
    };
    // How many elements a set has is not known while they may turn out equal, so there is no list of them yet.
    let unsettled = matches!(value.kind(), ValueKind::Set(..)) && items.len() > 1 && !value.is_wholly_known();
    if unsettled && !is_set {
        return Ok(Value::unknown(Type::list(given.clone())));
    }
    if items.is_empty() {
        let element = if *wanted == Type::Dynamic { given.clone() } else { wanted.without_optional() };
        return Ok(collection(is_set, element, Vec::new()));
    }
    collect(is_set, each(items.iter().zip(std::iter::repeat(given)), |item, given| apply(item, given, wanted, mode))?)
}

fn collection(is_set: bool, element: Type, items: Vec<Value>) -> Value {
    if is_set { Value::set(element, items) } else { Value::list(element, items) }
}

/// A list or set of elements, at least one, whose types must agree.
fn collect(is_set: bool, mut items: Vec<Value>) -> Result<Value, Failure> {
    let kind = if is_set { "set" } else { "list" };
    let element = common_type(items.iter_mut())
        .ok_or_else(|| Failure::new(format!("element types must all match for conversion to {kind}")))?;
    Ok(collection(is_set, element, items))
}

/// The one type of all parts, which parts of no type of their own take; `None` if they differ.
fn common_type<'v>(parts: impl Iterator<Item = &'v mut Value>) -> Option<Type> {
    let mut common = Type::Dynamic;
    let mut untyped = Vec::new();
    for part in parts {
        let ty = part.ty();
        if ty == Type::Dynamic {
            untyped.push(part);
        } else if common == Type::Dynamic {
            common = ty;
        } else if common != ty {
            return None;
        }
    }
    for part in untyped {
        let typed = if part.is_null() { Value::null(common.clone()) } else { Value::unknown(common.clone()) };
        *part = typed.with_marks(part.marks());
    }
    Some(common)
}

/// Converts parts to the most general type among them.
fn unify_parts<'v>(parts: impl Iterator<Item = &'v mut Value>, mode: Mode) -> Result<(), Failure> {
    let parts: Vec<&mut Value> = parts.collect();
    let types: Vec<Type> = parts.iter().map(|part| part.ty()).collect();
    let unified = unify::unify_in(types.iter(), mode)
        .ok_or_else(|| Failure::new("cannot find a common base type for all elements"))?;
    for (index, (part, ty)) in parts.into_iter().zip(&types).enumerate() {
        if *ty != unified {
            *part = apply(part, ty, &unified, mode).map_err(|failure| failure.at_index(index))?;
        }
    }
    Ok(())
}

fn is_structured(ty: &Type) -> bool {
    ty.is_collection() || matches!(ty, Type::Object(_))
}

fn map_to_map(entries: &BTreeMap<Arc<str>, Value>, given: &Type, wanted: &Type, mode: Mode) -> Result<Value, Failure> {
    if entries.is_empty() {
        let element = if *wanted == Type::Dynamic { given.clone() } else { wanted.without_optional() };
        return Ok(ValueKind::Map(element, Arc::default()).into());
    }
    let mut converted = BTreeMap::new();
    for (key, value) in entries {
        let value =
            apply(value, given, wanted, mode).map_err(|failure| failure.within(PathStep::Key(Arc::clone(key))))?;
        converted.insert(Arc::clone(key), value);
    }
    if is_structured(wanted) {
        unify_parts(converted.values_mut(), Mode::Safe)?;
    }
    map(converted, "element")
}

fn object_to_map(
    attributes: &BTreeMap<Arc<str>, Value>,
    given: &ObjectType,
    wanted: &Type,
    mode: Mode,
) -> Result<Value, Failure> {
    if attributes.is_empty() {
        return Ok(ValueKind::Map(wanted.without_optional(), Arc::default()).into());
    }
    let element = element_type(given.attributes.values(), wanted, mode, false)
        .ok_or_else(|| Failure::new("cannot find a common base type for all elements"))?;
    let mut converted = BTreeMap::new();
    for ((name, value), given) in attributes.iter().zip(given.attributes.values()) {
        let value =
            apply(value, given, &element, mode).map_err(|failure| failure.within(PathStep::Key(Arc::clone(name))))?;
        converted.insert(Arc::clone(name), value);
    }
    if is_structured(&element) {
        unify_parts(converted.values_mut(), mode)?;
    }
    map(converted, "attribute")
}

/// A map of entries, at least one, whose types must agree.
fn map(mut entries: BTreeMap<Arc<str>, Value>, part: &str) -> Result<Value, Failure> {
    let element = common_type(entries.values_mut())
        .ok_or_else(|| Failure::new(format!("{part} types must all match for conversion to map")))?;
    Ok(ValueKind::Map(element, Arc::new(entries)).into())
}

fn map_to_object(
    entries: &BTreeMap<Arc<str>, Value>,
    given: &Type,
    wanted: &ObjectType,
    mode: Mode,
) -> Result<Value, Failure> {
    let mut attributes = BTreeMap::new();
    for (key, value) in entries {
        let Some(ty) = wanted.attributes.get(key) else { continue };
        if !convertible(given, ty, mode) {
            let reason = mismatch::message(&value.ty(), ty);
            return Err(Failure::new(format!("map element type is incompatible with attribute {key:?}: {reason}")));
        }
        let value = apply(value, given, ty, mode).map_err(|failure| failure.within(PathStep::Key(Arc::clone(key))))?;
        attributes.insert(Arc::clone(key), value);
    }
    for (name, ty) in &wanted.attributes {
        if attributes.contains_key(name) {
            continue;
        }
        if !wanted.optional.contains(name) {
            return Err(Failure::new(format!("map has no element for required attribute {name:?}")));
        }
        attributes.insert(Arc::clone(name), Value::null(ty.without_optional()));
    }
    Ok(ValueKind::Object(Arc::new(attributes)).into())
}
