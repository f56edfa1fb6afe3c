//! What the derive's code calls, so that it stays short. Not for use by hand.

use std::sync::Arc;

use denobridge_core::cty::{PathStep, Type, Value, ValueKind};
use denobridge_core::schema::Nesting;

use super::{Checks, ModelError, ModelProblem, ModelValue};
use crate::schema::{AttributeDefinition, BlockDefinition, NestedBlockDefinition};

pub use denobridge_core;

/// How a field is held, where its Rust type does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum As {
    /// As its Rust type says.
    Itself,
    /// In this kind of collection.
    Nesting(Nesting),
    /// As a plain object type, whose attributes have no flags.
    Plain,
}

/// The definition of an attribute for a field of type `F`.
#[must_use]
pub fn attribute<F: ModelValue>(name: &'static str, held: As) -> AttributeDefinition {
    let shape = match held {
        As::Itself => F::shape(),
        As::Nesting(nesting) => F::shape().nested_as(nesting),
        As::Plain => F::shape().plain(),
    };
    let mut definition = AttributeDefinition::new(name, shape.into_attribute_type());
    definition.sensitive = F::SENSITIVE;
    definition
}

/// The definition of a nested block for a field of type `F`. The derive makes sure that `F` holds models.
#[must_use]
pub fn block<F: ModelValue>(name: &'static str, nesting: Nesting) -> NestedBlockDefinition {
    let content = match F::shape() {
        super::Shape::Models(_, content) => *content,
        super::Shape::Plain(_) => BlockDefinition::default(),
    };
    NestedBlockDefinition::new(name, nesting, content)
}

/// The object to read fields from.
///
/// # Errors
/// The value is no known object.
pub fn object(value: &Value, ty: impl FnOnce() -> Type) -> Result<&Value, ModelError> {
    match value.kind() {
        ValueKind::Object(_) => Ok(value),
        _ => Err(ModelError::mismatch(value, ty())),
    }
}

/// One field out of an object.
///
/// # Errors
/// The object does not have it, or the field cannot hold it.
pub fn field<F: ModelValue>(object: &Value, name: &'static str) -> Result<F, ModelError> {
    let read = match object.attribute(name) {
        Some(value) => F::from_value(value),
        None => Err(ModelError::new(ModelProblem::Missing)),
    };
    read.map_err(|error| error.within(PathStep::Attribute(name.into())))
}

/// One field's value, in the kind of collection that the schema says.
pub fn write<F: ModelValue>(field: &F, held: As) -> Value {
    let value = field.to_value();
    let As::Nesting(nesting) = held else { return value };
    let marks = value.marks();
    let other = |ty: &Type| ty.element().map_or_else(|| ty.clone(), |element| nesting.wrap(element.clone()));
    let written = match (nesting, value.kind()) {
        (_, ValueKind::Null(ty)) => Value::null(other(ty)),
        (_, ValueKind::Unknown(ty, None)) => Value::unknown(other(ty)),
        (_, ValueKind::Unknown(ty, Some(refinement))) => Value::unknown_refined(other(ty), (**refinement).clone()),
        (Nesting::Set, ValueKind::List(element, items)) => Value::set(element.clone(), items.iter().cloned()),
        (Nesting::List, ValueKind::Set(element, items)) => Value::list(element.clone(), items.iter().cloned()),
        _ => return value,
    };
    written.with_marks(marks)
}

/// A check function of a field, with its refusal as text.
pub type Check<F> = dyn Fn(&<F as ModelValue>::Known) -> Result<(), String>;

/// Runs the check functions of one field, and those of the models in it.
pub fn check_field<F: ModelValue>(object: &Value, name: &'static str, checks: &mut Checks, own: &[&Check<F>]) {
    let Some(value) = object.attribute(name) else { return };
    checks.at(PathStep::Attribute(Arc::from(name)), |checks| {
        F::check(value, checks);
        if own.is_empty() || value.is_null() || !value.is_wholly_known() {
            return;
        }
        match F::from_value(value) {
            Ok(field) => {
                let refusals = field.known().into_iter().flat_map(|known| own.iter().map(move |check| check(known)));
                for reason in refusals.filter_map(Result::err) {
                    checks.refuse(&reason);
                }
            }
            Err(error) => checks.unfit(error),
        }
    });
}
