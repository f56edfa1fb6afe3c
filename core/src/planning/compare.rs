//! Taking values apart and comparing them, as the rules need it.

use std::sync::Arc;

use crate::cty::{Path, PathStep, Type, Value, ValueKind};

/// The attribute or block `name` of an object; a part of an unknown object is unknown, a part of anything else that has
/// no such part is null.
pub(super) fn member(object: &Value, name: &str, ty: impl FnOnce() -> Type) -> Value {
    match object.kind() {
        ValueKind::Unknown(..) => Value::unknown(ty()),
        _ => object.attribute(name).cloned().unwrap_or_else(|| Value::null(ty())),
    }
}

/// The elements of a known collection or structure, each with the step that leads to it.
pub(super) fn elements(value: &Value) -> Vec<(PathStep, &Value)> {
    match value.kind() {
        ValueKind::List(_, items) | ValueKind::Tuple(items) => {
            items.iter().enumerate().map(|(index, item)| (index_step(index), item)).collect()
        }
        ValueKind::Set(_, items) => {
            items.iter().map(|item| (PathStep::Element(Box::new(item.clone())), item)).collect()
        }
        ValueKind::Map(_, entries) => {
            entries.iter().map(|(key, item)| (PathStep::Key(Arc::clone(key)), item)).collect()
        }
        ValueKind::Object(attributes) => {
            attributes.iter().map(|(name, item)| (PathStep::Attribute(Arc::clone(name)), item)).collect()
        }
        _ => Vec::new(),
    }
}

/// A collection like `original` with other elements, in the same order; map keys and attribute names stay.
pub(super) fn with_elements(original: &Value, elements: Vec<Value>) -> Value {
    let keyed = |entries: &std::collections::BTreeMap<Arc<str>, Value>, elements: Vec<Value>| {
        entries.keys().cloned().zip(elements).collect::<Vec<_>>()
    };
    let rebuilt = match original.kind() {
        ValueKind::List(ty, _) => Value::list(ty.clone(), elements),
        ValueKind::Set(ty, _) => Value::set(ty.clone(), elements),
        ValueKind::Tuple(_) => Value::tuple(elements),
        ValueKind::Map(ty, entries) => Value::map(ty.clone(), keyed(entries, elements)),
        ValueKind::Object(attributes) => Value::object(keyed(attributes, elements)),
        _ => return original.clone(),
    };
    rebuilt.with_marks(original.marks())
}

fn index_step(index: usize) -> PathStep {
    PathStep::Index(i64::try_from(index).unwrap_or(i64::MAX))
}

/// Whether two values are the same in type and content, unknown parts included. Marks and refinements do not count:
/// neither is part of what a provider promises by repeating a value.
#[must_use]
pub fn same_value(left: &Value, right: &Value) -> bool {
    match (left.kind(), right.kind()) {
        (ValueKind::Null(left), ValueKind::Null(right))
        | (ValueKind::Unknown(left, _), ValueKind::Unknown(right, _)) => left == right,
        (ValueKind::Bool(left), ValueKind::Bool(right)) => left == right,
        (ValueKind::Number(left), ValueKind::Number(right)) => left == right,
        (ValueKind::String(left), ValueKind::String(right)) => left == right,
        (ValueKind::List(left_type, left), ValueKind::List(right_type, right)) => {
            left_type == right_type && same_items(left, right)
        }
        (ValueKind::Tuple(left), ValueKind::Tuple(right)) => same_items(left, right),
        (ValueKind::Set(left_type, left_items), ValueKind::Set(right_type, right_items)) => {
            left_type == right_type
                && if left.is_wholly_known() && right.is_wholly_known() {
                    same_items(left_items, right_items)
                } else {
                    // Without their refinements, elements may fall together and stand in another order.
                    unrefined(left).into_kind() == unrefined(right).into_kind()
                }
        }
        (ValueKind::Map(left_type, left), ValueKind::Map(right_type, right)) => {
            left_type == right_type && same_entries(left, right)
        }
        (ValueKind::Object(left), ValueKind::Object(right)) => same_entries(left, right),
        _ => false,
    }
}

fn same_items(left: &Arc<Vec<Value>>, right: &Arc<Vec<Value>>) -> bool {
    Arc::ptr_eq(left, right)
        || (left.len() == right.len() && left.iter().zip(right.iter()).all(|(left, right)| same_value(left, right)))
}

type Entries = Arc<std::collections::BTreeMap<Arc<str>, Value>>;

fn same_entries(left: &Entries, right: &Entries) -> bool {
    Arc::ptr_eq(left, right)
        || (left.len() == right.len()
            && left
                .iter()
                .zip(right.iter())
                .all(|((left_key, left), (right_key, right))| left_key == right_key && same_value(left, right)))
}

fn unrefined(value: &Value) -> Value {
    map_leaves(value, &|leaf| match leaf.kind() {
        ValueKind::Unknown(ty, Some(_)) => Value::unknown(ty.clone()).with_marks(leaf.marks()),
        _ => leaf.clone(),
    })
}

/// The value with each unknown part replaced by null: what can be stored of an answer that should have been known.
#[must_use]
pub fn unknowns_as_null(value: &Value) -> Value {
    if value.is_wholly_known() {
        return value.clone();
    }
    map_leaves(value, &|leaf| match leaf.kind() {
        ValueKind::Unknown(ty, _) => Value::null(ty.clone()).with_marks(leaf.marks()),
        _ => leaf.clone(),
    })
}

fn map_leaves(value: &Value, change: &impl Fn(&Value) -> Value) -> Value {
    match value.kind() {
        ValueKind::List(..) | ValueKind::Set(..) | ValueKind::Map(..) | ValueKind::Object(_) | ValueKind::Tuple(_) => {
            with_elements(value, value.children().map(|child| map_leaves(child, change)).collect())
        }
        _ => change(value),
    }
}

/// Where a value is unknown.
#[must_use]
pub fn unknown_paths(value: &Value) -> Vec<Path> {
    fn walk(value: &Value, path: &mut Path, found: &mut Vec<Path>) {
        if !value.is_known() {
            found.push(path.clone());
        }
        for (step, element) in elements(value) {
            path.push(step);
            walk(element, path, found);
            path.pop();
        }
    }
    let mut found = Vec::new();
    walk(value, &mut Path::root(), &mut found);
    found
}

/// Whether Terraform's `==` would be true: both wholly known and the same, or both null of whatever types.
pub(super) fn certainly_equal(left: &Value, right: &Value) -> bool {
    (left.is_null() && right.is_null())
        || (left.is_wholly_known() && right.is_wholly_known() && same_value(left, right))
}

/// The part of `value` at `path`, as Terraform applies the paths that providers send: parts of unknown values are unknown,
/// and maps accept attribute steps as objects accept keys, since the wire does not always tell the two apart.
pub(super) fn apply_path(value: &Value, path: &Path) -> Option<Value> {
    let mut current = value;
    for step in path.steps() {
        if !current.is_known() {
            return Some(Value::unknown(Type::Dynamic));
        }
        current = match step {
            PathStep::Attribute(name) | PathStep::Key(name) => current.as_entries()?.get(name)?,
            PathStep::Index(_) | PathStep::Element(_) => current.step(step)?,
        };
    }
    Some(current.clone())
}
