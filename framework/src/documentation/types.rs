//! Types as the documentation writes them.

use denobridge_core::cty::{ObjectType, Type};

/// A type in a list of attributes: `Map of String`. The attributes of an object are listed below it, not here.
pub(super) fn in_words(ty: &Type) -> String {
    match ty {
        Type::String => "String".to_owned(),
        Type::Number => "Number".to_owned(),
        Type::Bool => "Boolean".to_owned(),
        Type::Dynamic => "Dynamic".to_owned(),
        Type::List(element) => format!("List of {}", in_words(element)),
        Type::Set(element) => format!("Set of {}", in_words(element)),
        Type::Map(element) => format!("Map of {}", in_words(element)),
        Type::Object(_) => "Object".to_owned(),
        Type::Tuple(elements) => {
            let elements: Vec<String> = elements.iter().map(in_words).collect();
            format!("Tuple of {}", elements.join(", "))
        }
    }
}

/// A type in a function's signature: `map of string`.
pub(super) fn in_signature(ty: &Type) -> String {
    match ty {
        Type::List(element) => format!("list of {}", in_signature(element)),
        Type::Set(element) => format!("set of {}", in_signature(element)),
        Type::Map(element) => format!("map of {}", in_signature(element)),
        Type::Object(_) => "object".to_owned(),
        Type::Tuple(_) => "tuple".to_owned(),
        Type::String | Type::Number | Type::Bool | Type::Dynamic => ty.to_string(),
    }
}

/// The object whose attributes are listed below an attribute of that type: itself, or what its collections hold.
pub(super) fn object_inside(ty: &Type) -> Option<&ObjectType> {
    match ty {
        Type::Object(object) => Some(object),
        Type::List(element) | Type::Set(element) | Type::Map(element) => object_inside(element),
        _ => None,
    }
}
