//! What becomes of null and unknown values, which have a type and nothing to look into.

use super::Mode;
use crate::cty::{ObjectType, Refinement, Type, Value, ValueKind, unify};
use std::sync::Arc;

/// A null or unknown value as type `wanted`, if it is one.
pub(super) fn convert(value: &Value, wanted: &Type) -> Option<Value> {
    let wanted = wanted.to_value_type();
    match value.kind() {
        ValueKind::Null(given) => Some(Value::null(replace_dynamic(given, &wanted))),
        ValueKind::Unknown(given, refinement) => {
            Some(unknown(given, refinement.as_deref(), replace_dynamic(given, &wanted)))
        }
        _ => None,
    }
}

/// An unknown of `given` as an unknown of `wanted`, with what is known of it as far as it stays true.
fn unknown(given: &Type, refinement: Option<&Refinement>, wanted: Type) -> Value {
    let not_null = refinement.is_some_and(|refinement| refinement.not_null);
    let (length_min, length_max) = lengths(given, refinement, &wanted);
    Value::unknown_refined(wanted, Refinement { not_null, length_min, length_max, ..Refinement::default() })
}

/// The bounds on the length of the converted collection.
fn lengths(given: &Type, refinement: Option<&Refinement>, wanted: &Type) -> (Option<u64>, Option<u64>) {
    let exactly = |length: usize| (Some(length as u64), Some(length as u64));
    match (given, wanted) {
        (Type::Object(object), Type::Map(_)) => exactly(object.attributes.len()),
        (Type::Tuple(types), Type::List(_)) => exactly(types.len()),
        // Elements of a set may turn out equal, but some are left if there were any.
        (Type::Tuple(types), Type::Set(_)) => (Some(types.len().min(1) as u64), Some(types.len() as u64)),
        (given, Type::Set(_)) if given.is_collection() => {
            let bounds = refinement.map(|refinement| (refinement.length_min, refinement.length_max));
            let (min, max) = bounds.unwrap_or_default();
            (min.map(|min| min.min(1)), max)
        }
        (given, wanted) if given.is_collection() && wanted.is_collection() => {
            refinement.map(|refinement| (refinement.length_min, refinement.length_max)).unwrap_or_default()
        }
        _ => (None, None),
    }
}

/// `wanted` with every dynamic in it replaced by what `given` has in its place, where it has something.
fn replace_dynamic(given: &Type, wanted: &Type) -> Type {
    if *given == Type::Dynamic || !wanted.has_dynamic() {
        return wanted.clone();
    }
    let unified = |types: &mut dyn Iterator<Item = &Type>, wanted: &Type| {
        let types: Vec<&Type> = types.collect();
        match unify::unify_in(types.iter().copied(), Mode::Unsafe) {
            Some(unified) => replace_dynamic(&unified, wanted),
            None => wanted.clone(),
        }
    };
    match (given, wanted) {
        (given, Type::Dynamic) => given.clone(),
        (Type::Map(given), Type::Map(wanted)) => Type::map(replace_dynamic(given, wanted)),
        (Type::Object(given), Type::Map(wanted)) => Type::map(unified(&mut given.attributes.values(), wanted)),
        (Type::List(given) | Type::Set(given), Type::Set(wanted)) => Type::set(replace_dynamic(given, wanted)),
        (Type::Tuple(given), Type::Set(wanted)) => Type::set(unified(&mut given.iter(), wanted)),
        (Type::List(given) | Type::Set(given), Type::List(wanted)) => Type::list(replace_dynamic(given, wanted)),
        (Type::Tuple(given), Type::List(wanted)) => Type::list(unified(&mut given.iter(), wanted)),
        (Type::Map(given), Type::Object(wanted)) => replace_attributes(wanted, |_| Some(given)),
        (Type::Object(given), Type::Object(wanted)) => replace_attributes(wanted, |name| given.attributes.get(name)),
        (Type::Tuple(given), Type::Tuple(wanted)) if given.len() == wanted.len() => {
            Type::tuple(given.iter().zip(wanted.iter()).map(|(given, wanted)| replace_dynamic(given, wanted)))
        }
        (_, wanted) => wanted.clone(),
    }
}

fn replace_attributes<'t>(wanted: &ObjectType, given: impl Fn(&str) -> Option<&'t Type>) -> Type {
    Type::object(wanted.attributes.iter().map(|(name, wanted)| {
        let ty = given(name).map_or_else(|| wanted.clone(), |given| replace_dynamic(given, wanted));
        (Arc::clone(name), ty)
    }))
}
