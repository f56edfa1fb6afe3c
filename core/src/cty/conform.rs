//! Whether a value or type has the shape a type asks for, and what to say when not.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::failure::Failure;
use super::{ObjectType, Type, Value, canonical};

impl Type {
    /// Whether a value of this type is one of `wanted` without conversion: equal, or `wanted` is dynamic where they differ.
    #[must_use]
    pub fn conforms_to(&self, wanted: &Type) -> bool {
        match (self, wanted) {
            (_, Type::Dynamic) => true,
            (Type::List(given), Type::List(wanted))
            | (Type::Set(given), Type::Set(wanted))
            | (Type::Map(given), Type::Map(wanted)) => given.conforms_to(wanted),
            (Type::Object(given), Type::Object(wanted)) => {
                given.attributes.len() == wanted.attributes.len()
                    && given
                        .attributes
                        .iter()
                        .zip(&wanted.attributes)
                        .all(|((given, ty), (wanted, wanted_type))| given == wanted && ty.conforms_to(wanted_type))
            }
            (Type::Tuple(given), Type::Tuple(wanted)) => {
                given.len() == wanted.len()
                    && given.iter().zip(wanted.iter()).all(|(given, wanted)| given.conforms_to(wanted))
            }
            (given, wanted) => given == wanted,
        }
    }

    /// How many levels of collections and structures it nests; none for a primitive.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::String | Self::Number | Self::Bool | Self::Dynamic => 0,
            Self::List(element) | Self::Set(element) | Self::Map(element) => 1 + element.depth(),
            Self::Object(object) => 1 + object.attributes.values().map(Self::depth).max().unwrap_or(0),
            Self::Tuple(elements) => 1 + elements.iter().map(Self::depth).max().unwrap_or(0),
        }
    }
}

/// The failure of a value that is of another type than wanted. It names types, never the value.
pub(super) fn kind_mismatch(value: &Value, wanted: &Type) -> Failure {
    Failure::new(format!("{wanted} required, but received {}", value.ty()))
}

/// The failure of an object whose attribute names are not those of its type.
pub(super) fn missing_or_unsupported(attributes: &BTreeMap<Arc<str>, Value>, object: &ObjectType) -> Failure {
    match attributes.keys().find(|name| !object.attributes.contains_key(*name)) {
        Some(name) => Failure::new(format!("unsupported attribute {name:?}")),
        None => Failure::new(canonical::missing_attributes(object, |name| attributes.contains_key(name))),
    }
}
