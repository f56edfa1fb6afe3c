//! What Pulumi's values cannot carry, put back from a value that has it: collection types inside dynamic values, exact
//! numbers, content of assets, marks.
//!
//! A program's inputs are aligned with the prior state, so that what has not changed compares as unchanged: an array
//! in a dynamic property reads as a tuple, but is a list again where the state has one.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::cty::{Marks, Type, Value, ValueKind};

/// `value` with the collection types, null types and exact numbers of `prior`, wherever that changes nothing but what a
/// property value could not say. Marks of `value` stay.
#[must_use]
pub fn with_prior(value: &Value, prior: &Value) -> Value {
    let marks = value.marks();
    let aligned = match (value.kind(), prior.kind()) {
        (ValueKind::Null(Type::Dynamic), _) if !prior.ty().has_dynamic() => Value::null(prior.ty()),
        (ValueKind::Number(number), ValueKind::Number(exact)) if is_rounded(number, exact) => {
            Value::number(exact.clone())
        }
        // A number beyond the doubles has come to Pulumi as text.
        (ValueKind::String(text), ValueKind::Number(exact))
            if !exact.to_f64().is_finite() && **text == exact.to_string() =>
        {
            Value::number(exact.clone())
        }
        (ValueKind::Tuple(items), _) => align_items(items, prior),
        (ValueKind::Object(entries), _) => align_entries(entries, prior),
        (ValueKind::List(ty, items), ValueKind::List(..) | ValueKind::Tuple(_)) => {
            let aligned: Vec<Value> = align_each(items, prior);
            if aligned.iter().all(|item| item.ty() == *ty) { Value::list(ty.clone(), aligned) } else { value.clone() }
        }
        (ValueKind::Map(ty, entries), ValueKind::Map(_, priors)) => {
            let aligned = align_named(entries, priors);
            if aligned.values().all(|item| item.ty() == *ty) { Value::map(ty.clone(), aligned) } else { value.clone() }
        }
        _ => return value.clone(),
    };
    aligned.with_marks(marks)
}

/// Whether `number` is what the wire made of `exact`.
fn is_rounded(number: &denobridge_core::cty::Number, exact: &denobridge_core::cty::Number) -> bool {
    number != exact && super::inputs::exact(exact.to_f64()).as_ref() == Some(number)
}

fn align_each(items: &[Value], prior: &Value) -> Vec<Value> {
    let priors = prior.as_elements().unwrap_or_default();
    items
        .iter()
        .enumerate()
        .map(|(index, item)| priors.get(index).map_or_else(|| item.clone(), |prior| with_prior(item, prior)))
        .collect()
}

fn align_named(entries: &Entries, priors: &Entries) -> Entries {
    entries
        .iter()
        .map(|(key, value)| {
            let aligned = priors.get(key).map_or_else(|| value.clone(), |prior| with_prior(value, prior));
            (Arc::clone(key), aligned)
        })
        .collect()
}

type Entries = BTreeMap<Arc<str>, Value>;

/// A tuple aligned element by element, and as the collection that the prior value is if it fits.
fn align_items(items: &[Value], prior: &Value) -> Value {
    if let ValueKind::Set(..) = prior.kind() {
        return retyped(&Value::tuple(items.iter().cloned()), &prior.ty())
            .unwrap_or_else(|| Value::tuple(items.to_vec()));
    }
    let aligned = Value::tuple(align_each(items, prior));
    match prior.kind() {
        ValueKind::List(..) => retyped(&aligned, &prior.ty()).unwrap_or(aligned),
        _ => aligned,
    }
}

fn align_entries(entries: &Entries, prior: &Value) -> Value {
    let Some(priors) = prior.as_entries() else { return Value::object(entries.clone()) };
    let aligned = Value::object(align_named(entries, priors));
    match prior.kind() {
        ValueKind::Map(..) => retyped(&aligned, &prior.ty()).unwrap_or(aligned),
        _ => aligned,
    }
}

/// `value` as a value of exactly `ty`, where tuples and objects become the collections that `ty` says and untyped nulls
/// get a type. Nothing else is converted: `None` where that does not suffice. Marks stay.
#[must_use]
pub fn retyped(value: &Value, ty: &Type) -> Option<Value> {
    let retyped = match (value.kind(), ty) {
        (ValueKind::Null(Type::Dynamic), ty) => Value::null(ty.clone()),
        (ValueKind::Unknown(Type::Dynamic, _), ty) => Value::unknown(ty.clone()),
        (ValueKind::Tuple(items) | ValueKind::List(_, items), Type::List(element)) => {
            Value::list((**element).clone(), retype_each(items, element)?)
        }
        (ValueKind::Tuple(items) | ValueKind::List(_, items) | ValueKind::Set(_, items), Type::Set(element)) => {
            Value::set((**element).clone(), retype_each(items, element)?)
        }
        (ValueKind::Tuple(items), Type::Tuple(types)) if items.len() == types.len() => {
            let items = items.iter().zip(types.iter()).map(|(item, ty)| retyped(item, ty));
            Value::tuple(items.collect::<Option<Vec<_>>>()?)
        }
        (ValueKind::Object(entries) | ValueKind::Map(_, entries), Type::Map(element)) => {
            let entries = entries.iter().map(|(key, value)| Some((key, retyped(value, element)?)));
            Value::map((**element).clone(), entries.collect::<Option<Vec<_>>>()?)
        }
        (ValueKind::Object(entries), Type::Object(object)) if entries.len() == object.attributes.len() => {
            let entries = entries
                .iter()
                .map(|(name, value)| Some((Arc::clone(name), retyped(value, object.attributes.get(name)?)?)));
            Value::object(entries.collect::<Option<Vec<_>>>()?)
        }
        _ if value.ty() == *ty => return Some(value.clone()),
        _ => return None,
    };
    Some(retyped.with_marks(value.marks()))
}

fn retype_each(items: &[Value], element: &Type) -> Option<Vec<Value>> {
    items.iter().map(|item| retyped(item, element)).collect()
}

/// `value` with the marks that `marked` has at the same places. Providers drop marks on the way through; what was a
/// secret in the configuration is one in the state.
#[must_use]
pub fn with_marks_of(value: &Value, marked: &Value) -> Value {
    if marked.marks_deep().is_empty() {
        return value.clone();
    }
    let parts = |items: &[Value]| -> Vec<Value> {
        let marked = marked.as_elements().unwrap_or_default();
        items
            .iter()
            .enumerate()
            .map(|(index, item)| marked.get(index).map_or_else(|| item.clone(), |marked| with_marks_of(item, marked)))
            .collect()
    };
    let named = |entries: &Entries| -> Entries {
        let Some(marked) = marked.as_entries() else { return entries.clone() };
        entries
            .iter()
            .map(|(key, value)| {
                let value = marked.get(key).map_or_else(|| value.clone(), |marked| with_marks_of(value, marked));
                (Arc::clone(key), value)
            })
            .collect()
    };
    // What lies at a place where there was a secret, but in another form (an object instead of a list), may still show
    // it: all of it becomes a secret.
    let comparable = matches!(
        (value.kind(), marked.kind()),
        (ValueKind::List(..) | ValueKind::Tuple(_) | ValueKind::Null(_), ValueKind::List(..) | ValueKind::Tuple(_))
            | (
                ValueKind::Map(..) | ValueKind::Object(_) | ValueKind::Null(_),
                ValueKind::Map(..) | ValueKind::Object(_)
            )
    );
    let marks = if comparable || value.is_null() { marked.marks() } else { marked.marks_deep() };
    let marks = if value.is_null() { Marks::NONE } else { marks };
    let rebuilt = match value.kind() {
        ValueKind::List(ty, items) => Value::list(ty.clone(), parts(items)),
        ValueKind::Tuple(items) => Value::tuple(parts(items)),
        ValueKind::Map(ty, entries) => Value::map(ty.clone(), named(entries)),
        ValueKind::Object(entries) => Value::object(named(entries)),
        _ => value.clone(),
    };
    rebuilt.with_marks(value.marks()).with_marks(marks)
}
