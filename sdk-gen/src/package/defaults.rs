//! Defaults that SDKs know: constants of primitive types at the root of what a resource or a function is given.
//!
//! The provider plans the same value where a program gives nothing, so it does not matter whether an SDK sends it; people
//! see it in the documentation and in their editor. Inside of objects no default is said: one type serves what is given and
//! what comes back, in which nothing is to be filled in.

use denobridge_core::cty::{Number, ValueKind};
use serde_json::{Value as Json, json};

use super::spec::Properties;
use crate::names::{Field, ObjectNames, Shape};

/// Adds the defaults to inputs.
pub(super) fn add(inputs: &mut Properties, fields: &ObjectNames) {
    for field in fields.properties().filter(|field| !field.sensitive) {
        if let (Some(default), Some(property)) = (default_of(field), inputs.get_mut(&*field.pulumi)) {
            property.default = Some(Box::new(default));
        }
    }
}

/// The default as generators take it; none where a language could not say it.
fn default_of(field: &Field) -> Option<Json> {
    let annotations = field.annotations.as_deref()?;
    let default = annotations.default.as_ref()?;
    let is_primitive = matches!(field.shape, Shape::String | Shape::Number | Shape::Bool);
    // Python's generator assigns the bare value of an enumeration, which type checkers refuse.
    if !is_primitive || !annotations.enum_values.is_empty() || default.ty() != field.ty {
        return None;
    }
    match default.kind() {
        ValueKind::String(text) => Some(json!(&**text)),
        ValueKind::Bool(value) => Some(json!(value)),
        ValueKind::Number(exact) => number(exact, field.is_whole()),
        _ => None,
    }
}

/// Whole numbers are 32 bits wide in some languages; all others are doubles, which this one has to be when it is written.
fn number(exact: &Number, is_whole: bool) -> Option<Json> {
    if is_whole {
        return exact.to_string().parse::<i32>().ok().map(Json::from);
    }
    let double = exact.to_f64();
    let is_exact = double.is_finite() && double.to_string().parse::<Number>().is_ok_and(|read| read == *exact);
    is_exact.then(|| json!(double))
}
