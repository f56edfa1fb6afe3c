//! Whether a value is of the type that its schema says.

use std::sync::Arc;

use super::compare::elements;
use crate::cty::{Path, PathStep, Type, Value, ValueKind};
use crate::schema::{Block, NestedBlock, Nesting};

/// One place where a value does not have the type it should have.
pub(super) struct Mismatch {
    pub(super) path: Path,
    pub(super) message: String,
}

/// Everything in which `value` is not a value of `block`. Null is a value of every block.
pub(super) fn block_mismatches(block: &Block, value: &Value) -> Vec<Mismatch> {
    let mut found = Found { path: Path::root(), mismatches: Vec::new() };
    if !value.is_null() {
        found.block(block, value);
    }
    found.mismatches
}

/// Everything in which `value` is not of type `want`.
pub(super) fn type_mismatches(value: &Value, want: &Type) -> Vec<Mismatch> {
    let mut found = Found { path: Path::root(), mismatches: Vec::new() };
    if !value.is_null() {
        found.value(value, want);
    }
    found.mismatches
}

struct Found {
    path: Path,
    mismatches: Vec<Mismatch>,
}

impl Found {
    fn add(&mut self, message: String) {
        self.mismatches.push(Mismatch { path: self.path.clone(), message });
    }

    fn at(&mut self, step: PathStep, check: impl FnOnce(&mut Self)) {
        self.path.push(step);
        check(self);
        self.path.pop();
    }

    fn block(&mut self, block: &Block, value: &Value) {
        let attributes = match value.kind() {
            ValueKind::Null(ty) | ValueKind::Unknown(ty, _) => return self.ty(ty, &block.implied_type()),
            ValueKind::Object(attributes) => attributes,
            _ => return self.add(format!("an object is required, but received {}", value.ty())),
        };
        for attribute in &block.attributes {
            match attributes.get(&attribute.name) {
                None => self.add(format!("missing attribute {:?}", attribute.name)),
                Some(value) => {
                    let want = attribute.implied_type();
                    self.at(PathStep::Attribute(Arc::clone(&attribute.name)), |found| found.value(value, &want));
                }
            }
        }
        for nested in &block.blocks {
            match attributes.get(&nested.name) {
                None => self.add(format!("missing attribute {:?}", nested.name)),
                Some(value) => {
                    self.at(PathStep::Attribute(Arc::clone(&nested.name)), |found| found.nested(nested, value));
                }
            }
        }
        for name in attributes.keys() {
            if block.attribute(name).is_none() && block.nested_block(name).is_none() {
                self.add(format!("unsupported attribute {name:?}"));
            }
        }
    }

    fn nested(&mut self, nested: &NestedBlock, value: &Value) {
        let fits = match (nested.nesting, value.kind()) {
            (_, ValueKind::Null(ty) | ValueKind::Unknown(ty, _)) => return self.ty(ty, &nested.implied_type()),
            (Nesting::Single | Nesting::Group, _) => return self.block(&nested.block, value),
            (Nesting::Set, ValueKind::Set(..)) => true,
            (Nesting::List, ValueKind::List(..)) | (Nesting::Map, ValueKind::Map(..)) => {
                !nested.block.implied_type().has_dynamic()
            }
            (Nesting::List, ValueKind::Tuple(_)) | (Nesting::Map, ValueKind::Object(_)) => {
                nested.block.implied_type().has_dynamic()
            }
            _ => false,
        };
        if !fits {
            let want = match nested.nesting {
                Nesting::Set => "a set",
                Nesting::Map => "a map",
                _ => "a list",
            };
            return self.add(format!("{want} of nested blocks is required, but received {}", value.ty()));
        }
        for (step, element) in elements(value) {
            self.at(step, |found| found.block(&nested.block, element));
        }
    }

    fn value(&mut self, value: &Value, want: &Type) {
        match (value.kind(), want) {
            (_, Type::Dynamic) => {}
            (ValueKind::Null(ty) | ValueKind::Unknown(ty, _), want) => self.ty(ty, want),
            (ValueKind::List(..), Type::List(element))
            | (ValueKind::Set(..), Type::Set(element))
            | (ValueKind::Map(..), Type::Map(element)) => {
                let parts = elements(value);
                if parts.is_empty() {
                    return self.ty(&value.ty(), want);
                }
                for (step, part) in parts {
                    self.at(step, |found| found.value(part, element));
                }
            }
            (ValueKind::Tuple(items), Type::Tuple(types)) if items.len() == types.len() => {
                for ((step, part), ty) in elements(value).into_iter().zip(types.iter()) {
                    self.at(step, |found| found.value(part, ty));
                }
            }
            (ValueKind::Object(attributes), Type::Object(object)) => {
                for (name, ty) in &object.attributes {
                    match attributes.get(name) {
                        None => self.add(format!("missing attribute {name:?}")),
                        Some(part) => {
                            self.at(PathStep::Attribute(Arc::clone(name)), |found| found.value(part, ty));
                        }
                    }
                }
                for name in attributes.keys().filter(|name| !object.attributes.contains_key(*name)) {
                    self.add(format!("unsupported attribute {name:?}"));
                }
            }
            (_, want) => self.ty(&value.ty(), want),
        }
    }

    fn ty(&mut self, given: &Type, want: &Type) {
        if !type_conforms(given, want) {
            self.add(format!("{want} is required, but received {given}"));
        }
    }
}

/// Whether every value of type `given` is a value of type `want`.
pub(super) fn type_conforms(given: &Type, want: &Type) -> bool {
    match (given, want) {
        (_, Type::Dynamic) => true,
        (Type::List(given), Type::List(want))
        | (Type::Set(given), Type::Set(want))
        | (Type::Map(given), Type::Map(want)) => type_conforms(given, want),
        (Type::Tuple(given), Type::Tuple(want)) => {
            given.len() == want.len() && given.iter().zip(want.iter()).all(|(given, want)| type_conforms(given, want))
        }
        (Type::Object(given), Type::Object(want)) => {
            given.attributes.len() == want.attributes.len()
                && given.attributes.iter().zip(&want.attributes).all(|((given_name, given), (want_name, want))| {
                    given_name == want_name && type_conforms(given, want)
                })
        }
        (given, want) => given == want,
    }
}
