//! Why there is no conversion between two types, in the words that Terraform's users know.

use super::{Mode, convertible};
use crate::cty::{ObjectType, Type};

/// The reason. Only meaningful for types without a conversion.
pub(super) fn message(given: &Type, wanted: &Type) -> String {
    match (given, wanted) {
        (Type::Object(given), Type::Object(wanted)) => objects(given, wanted),
        (Type::Tuple(_), Type::List(element)) if **element == Type::Dynamic => {
            "all list elements must have the same type".to_owned()
        }
        (Type::Tuple(_), Type::Set(element)) if **element == Type::Dynamic => {
            "all set elements must have the same type".to_owned()
        }
        (Type::Object(_), Type::Map(element)) if **element == Type::Dynamic => {
            "all map elements must have the same type".to_owned()
        }
        (Type::Tuple(given), Type::List(element) | Type::Set(element)) => {
            let parts = given.iter().enumerate().map(|(index, ty)| (index.to_string(), ty));
            parts_of_structure(parts, element)
        }
        (Type::Object(given), Type::Map(element)) => {
            let parts = given.attributes.iter().map(|(name, ty)| (format!("{name:?}"), ty));
            parts_of_structure(parts, element)
        }
        (Type::List(given) | Type::Set(given), Type::List(wanted)) => {
            format!("incorrect list element type: {}", message(given, wanted))
        }
        (Type::List(given) | Type::Set(given), Type::Set(wanted)) => {
            format!("incorrect set element type: {}", message(given, wanted))
        }
        (Type::Map(given), Type::Map(wanted)) => format!("incorrect map element type: {}", message(given, wanted)),
        (given, wanted) if names_both(given, wanted) => {
            format!("{} required, but have {}", name(wanted, Use::Type), name(given, Use::Type))
        }
        (_, wanted) => format!("{} required", name(wanted, Use::Constraint)),
    }
}

/// Missing attributes before attributes of a wrong type, and of those the first that no conversion at all can help.
fn objects(given: &ObjectType, wanted: &ObjectType) -> String {
    let missing: Vec<String> = wanted
        .attributes
        .keys()
        .filter(|name| !given.attributes.contains_key(*name) && !wanted.optional.contains(*name))
        .map(|name| format!("{name:?}"))
        .collect();
    match missing.as_slice() {
        [] => {}
        [name] => return format!("attribute {name} is required"),
        [first, second] => return format!("attributes {first} and {second} are required"),
        [names @ .., last] => return format!("attributes {}, and {last} are required", names.join(", ")),
    }
    let first_without = |mode: Mode| {
        wanted.attributes.iter().find_map(|(name, wanted)| {
            let given = given.attributes.get(name)?;
            (!convertible(given, wanted, mode)).then(|| format!("attribute {name:?}: {}", message(given, wanted)))
        })
    };
    first_without(Mode::Unsafe)
        .or_else(|| first_without(Mode::Safe))
        .unwrap_or_else(|| "incorrect object attributes".to_owned())
}

fn parts_of_structure<'t>(mut parts: impl Iterator<Item = (String, &'t Type)>, element: &Type) -> String {
    match parts.find(|(_, part)| !convertible(part, element, Mode::Unsafe)) {
        Some((place, part)) => format!("element {place}: {}", message(part, element)),
        None => format!("all elements must be {}", name(element, Use::Constraint)),
    }
}

/// Whether it helps to say what was given. Where it could work with another value, the type is not the problem.
fn names_both(given: &Type, wanted: &Type) -> bool {
    if given.is_collection() && wanted.is_collection() {
        return false;
    }
    given.is_primitive() != wanted.is_primitive()
        || *wanted == Type::String
        || matches!((given, wanted), (Type::Number, Type::Bool) | (Type::Bool, Type::Number))
        || matches!((given, wanted), (Type::Tuple(_), Type::Object(_)))
}

/// What a name is said of: a type that something has, or one that is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Type,
    Constraint,
}

fn name(ty: &Type, used: Use) -> String {
    let element_name = |element: &Type| match (element, used) {
        (Type::Dynamic, Use::Constraint) => "any single type".to_owned(),
        (element, used) => name(element, used),
    };
    match ty {
        Type::String => "string".to_owned(),
        Type::Number => "number".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Dynamic if used == Use::Constraint => "any type".to_owned(),
        Type::Dynamic => "dynamic".to_owned(),
        Type::List(element) => format!("list of {}", element_name(element)),
        Type::Set(element) => format!("set of {}", element_name(element)),
        Type::Map(element) => format!("map of {}", element_name(element)),
        Type::Object(_) => "object".to_owned(),
        Type::Tuple(_) => "tuple".to_owned(),
    }
}
