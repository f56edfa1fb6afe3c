//! Conversion of values between types, as go-cty does it.
//!
//! Whether there is a conversion is decided on types alone ([`convertible`]); only then is the value walked ([`apply`]),
//! with both types at hand, since what happens to a value depends on the type it was declared with.

use thiserror::Error;

use super::{Path, Type, Value};

mod apply;
mod dynamic;
mod mismatch;
mod primitive;

pub(super) use primitive::parse_bool;

/// Why a value cannot become a type.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{}{message}", super::msgpack::at(path))]
pub struct ConvertError {
    /// Where in the value.
    pub path: Path,
    /// What is wrong there, as Terraform says it ("a number is required").
    pub message: String,
}

/// Which conversions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Those that every value of the type survives.
    Safe,
    /// Also those that some values do not survive, or that lose something.
    Unsafe,
}

/// The value as type `ty`, unsafe conversions included. Where `ty` is dynamic the value keeps its type; the elements of a
/// collection of dynamic get the most general type among them.
///
/// # Errors
/// There is no conversion, or this value does not survive it.
pub fn convert(value: &Value, ty: &Type) -> Result<Value, ConvertError> {
    let given = value.ty();
    if given == *ty.to_value_type() {
        return Ok(value.clone());
    }
    if !convertible(&given, ty, Mode::Unsafe) {
        return Err(ConvertError { path: Path::root(), message: mismatch::message(&given, ty) });
    }
    apply::apply(value, &given, ty, Mode::Unsafe).map_err(|failure| {
        let (path, message) = failure.into_parts();
        ConvertError { path, message }
    })
}

/// Whether values of `given` convert to `wanted`; a type converts to itself.
pub(super) fn convertible(given: &Type, wanted: &Type, mode: Mode) -> bool {
    if given == wanted {
        return true;
    }
    let is_unsafe = mode == Mode::Unsafe;
    match (given, wanted) {
        (_, Type::Dynamic) => true,
        // What a dynamic value is will only be seen in the value.
        (Type::Dynamic, _) => is_unsafe,
        (Type::Number | Type::Bool, Type::String) => true,
        (Type::String, Type::Number | Type::Bool) => is_unsafe,
        (Type::Object(given), Type::Object(wanted)) => {
            wanted.attributes.iter().all(|(name, wanted_type)| match given.attributes.get(name) {
                Some(given_type) => convertible(given_type, wanted_type, mode),
                None => wanted.optional.contains(name),
            })
        }
        (Type::Tuple(given), Type::Tuple(wanted)) => {
            given.len() == wanted.len()
                && given.iter().zip(wanted.iter()).all(|(given, wanted)| convertible(given, wanted, mode))
        }
        (Type::List(given), Type::List(wanted))
        | (Type::Set(given), Type::List(wanted) | Type::Set(wanted))
        | (Type::Map(given), Type::Map(wanted)) => convertible(given, wanted, mode),
        // A set loses the order of a list.
        (Type::List(given), Type::Set(wanted)) => is_unsafe && convertible(given, wanted, mode),
        (Type::Tuple(given), Type::List(wanted) | Type::Set(wanted)) => {
            given.is_empty() || element_type(given.iter(), wanted, mode, true).is_some()
        }
        (Type::Object(given), Type::Map(wanted)) => {
            given.attributes.is_empty() || element_type(given.attributes.values(), wanted, mode, false).is_some()
        }
        // A map may lack attributes, and what an optional one holds is only looked at when the map has it.
        (Type::Map(given), Type::Object(wanted)) => {
            is_unsafe
                && wanted
                    .attributes
                    .iter()
                    .all(|(name, ty)| convertible(given, ty, mode) || wanted.optional.contains(name))
        }
        _ => false,
    }
}

/// The element type that the parts of a structure convert to: the wanted one, or if that is dynamic the most general of
/// the parts. `None` if there is no such type. With `settled` a dynamic result counts only if all parts are dynamic.
fn element_type<'t>(
    parts: impl Iterator<Item = &'t Type> + Clone,
    wanted: &Type,
    mode: Mode,
    settled: bool,
) -> Option<Type> {
    let element = match wanted {
        Type::Dynamic => super::unify::unify_in(parts.clone(), mode)?,
        wanted => wanted.clone(),
    };
    if settled && element == Type::Dynamic && parts.clone().any(|part| *part != Type::Dynamic) {
        return None;
    }
    parts.clone().all(|part| convertible(part, &element, mode)).then_some(element)
}
