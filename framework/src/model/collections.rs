//! Lists, sets, maps and tuples.

use std::collections::{BTreeMap, BTreeSet};

use denobridge_core::cty::{PathStep, Type, Value, ValueKind};
use denobridge_core::schema::Nesting;

use super::{Checks, ModelError, ModelProblem, ModelValue, Shape, ToValue};

/// The elements of a known list, set or tuple, each with the step that leads to it.
fn elements(value: &Value) -> Option<Vec<(PathStep, &Value)>> {
    let items = value.as_elements()?;
    Some(match value.kind() {
        ValueKind::Set(..) => items.iter().map(|item| (PathStep::Element(Box::new(item.clone())), item)).collect(),
        _ => (0..).map(PathStep::Index).zip(items).collect(),
    })
}

/// Inside one more collection.
const fn one_more(models: Option<u8>) -> Option<u8> {
    match models {
        Some(around) => Some(around.saturating_add(1)),
        None => None,
    }
}

fn read_all<T: ModelValue, C: FromIterator<T>>(value: &Value, ty: impl FnOnce() -> Type) -> Result<C, ModelError> {
    let Some(elements) = elements(value) else { return Err(ModelError::mismatch(value, ty())) };
    elements.into_iter().map(|(step, item)| T::from_value(item).map_err(|error| error.within(step))).collect()
}

fn check_all<T: ModelValue>(value: &Value, checks: &mut Checks) {
    for (step, item) in elements(value).unwrap_or_default() {
        checks.at(step, |checks| T::check(item, checks));
    }
}

impl<T: ModelValue> ToValue for Vec<T> {
    fn to_value(&self) -> Value {
        Value::list(T::ty(), self.iter().map(ToValue::to_value))
    }
}

/// A list; with `nested = "set"` or `blocks = "set"` a set.
impl<T: ModelValue> ModelValue for Vec<T> {
    type Known = Self;

    const HAS_BLOCKS: bool = T::HAS_BLOCKS;
    const MODELS: Option<u8> = one_more(T::MODELS);
    const SENSITIVE: bool = T::SENSITIVE;

    fn shape() -> Shape {
        T::shape().collected(Nesting::List)
    }

    fn ty() -> Type {
        Type::list(T::ty())
    }

    fn from_value(value: &Value) -> Result<Self, ModelError> {
        read_all(value, Self::ty)
    }

    fn known(&self) -> Option<&Self> {
        Some(self)
    }

    fn check(value: &Value, checks: &mut Checks) {
        check_all::<T>(value, checks);
    }
}

impl<T: ModelValue + Ord> ToValue for BTreeSet<T> {
    fn to_value(&self) -> Value {
        Value::set(T::ty(), self.iter().map(ToValue::to_value))
    }
}

impl<T: ModelValue + Ord> ModelValue for BTreeSet<T> {
    type Known = Self;

    const HAS_BLOCKS: bool = T::HAS_BLOCKS;
    const MODELS: Option<u8> = one_more(T::MODELS);
    const SENSITIVE: bool = T::SENSITIVE;

    fn shape() -> Shape {
        T::shape().collected(Nesting::Set)
    }

    fn ty() -> Type {
        Type::set(T::ty())
    }

    fn from_value(value: &Value) -> Result<Self, ModelError> {
        read_all(value, Self::ty)
    }

    fn known(&self) -> Option<&Self> {
        Some(self)
    }

    fn check(value: &Value, checks: &mut Checks) {
        check_all::<T>(value, checks);
    }
}

impl<T: ModelValue> ToValue for BTreeMap<String, T> {
    fn to_value(&self) -> Value {
        Value::map(T::ty(), self.iter().map(|(key, item)| (key, item.to_value())))
    }
}

impl<T: ModelValue> ModelValue for BTreeMap<String, T> {
    type Known = Self;

    const HAS_BLOCKS: bool = T::HAS_BLOCKS;
    const MODELS: Option<u8> = one_more(T::MODELS);
    const SENSITIVE: bool = T::SENSITIVE;

    fn shape() -> Shape {
        T::shape().collected(Nesting::Map)
    }

    fn ty() -> Type {
        Type::map(T::ty())
    }

    fn from_value(value: &Value) -> Result<Self, ModelError> {
        let Some(entries) = value.as_entries() else { return Err(ModelError::mismatch(value, Self::ty())) };
        entries
            .iter()
            .map(|(key, item)| match T::from_value(item) {
                Ok(item) => Ok((key.to_string(), item)),
                Err(error) => Err(error.within(PathStep::Key(key.clone()))),
            })
            .collect()
    }

    fn known(&self) -> Option<&Self> {
        Some(self)
    }

    fn check(value: &Value, checks: &mut Checks) {
        for (key, item) in value.as_entries().into_iter().flatten() {
            checks.at(PathStep::Key(key.clone()), |checks| T::check(item, checks));
        }
    }
}

macro_rules! tuples {
    ($($(($index:tt $part:ident))+ = $count:literal;)*) => {
        $(
            impl<$($part: ModelValue),+> ToValue for ($($part,)+) {
                fn to_value(&self) -> Value {
                    Value::tuple([$(self.$index.to_value()),+])
                }
            }

            impl<$($part: ModelValue),+> ModelValue for ($($part,)+) {
                type Known = Self;

                const HAS_BLOCKS: bool = $($part::HAS_BLOCKS)||+;
                const SENSITIVE: bool = $($part::SENSITIVE)||+;

                fn shape() -> Shape {
                    Shape::Plain(Self::ty())
                }

                fn ty() -> Type {
                    Type::tuple([$($part::ty()),+])
                }

                fn from_value(value: &Value) -> Result<Self, ModelError> {
                    let items = value.as_elements().filter(|items| items.len() == $count);
                    let items = items.ok_or_else(|| ModelError::mismatch(value, Self::ty()))?;
                    Ok(($(
                        match items.get($index) {
                            Some(item) => {
                                $part::from_value(item).map_err(|error| error.within(PathStep::Index($index)))?
                            }
                            None => return Err(ModelError::new(ModelProblem::Missing)),
                        },
                    )+))
                }

                fn known(&self) -> Option<&Self> {
                    Some(self)
                }
            }
        )*
    };
}

tuples! {
    (0 A) = 1;
    (0 A) (1 B) = 2;
    (0 A) (1 B) (2 C) = 3;
    (0 A) (1 B) (2 C) (3 D) = 4;
}
