//! Write-only attributes: given to the provider in the configuration, null everywhere else.

use std::sync::Arc;

use super::compare::{elements, with_elements};
use crate::cty::{Path, Value};
use crate::schema::{Attribute, AttributeType, Block, NestedObject, Nesting};

/// The paths of all write-only attributes that `value`, a value of `block`, has room for.
#[must_use]
pub fn write_only_paths(block: &Block, value: &Value) -> Vec<Path> {
    let mut found = Vec::new();
    in_block(block, value, &mut Path::root(), &mut found);
    found
}

fn in_block(block: &Block, value: &Value, path: &mut Path, found: &mut Vec<Path>) {
    in_attributes(&block.attributes, value, path, found);
    for nested in &block.blocks {
        let Some(content) = value.attribute(&nested.name) else { continue };
        path.push(crate::cty::PathStep::Attribute(Arc::clone(&nested.name)));
        each_object(nested.nesting, content, path, &mut |object, path| in_block(&nested.block, object, path, found));
        path.pop();
    }
}

fn in_attributes(attributes: &[Attribute], object: &Value, path: &mut Path, found: &mut Vec<Path>) {
    for attribute in attributes {
        let Some(value) = object.attribute(&attribute.name) else { continue };
        path.push(crate::cty::PathStep::Attribute(Arc::clone(&attribute.name)));
        if attribute.write_only {
            found.push(path.clone());
        } else if let AttributeType::Nested(nested) = &attribute.ty {
            each_object(nested.nesting, value, path, &mut |object, path| {
                in_attributes(&nested.attributes, object, path, found);
            });
        }
        path.pop();
    }
}

fn each_object(nesting: Nesting, value: &Value, path: &mut Path, visit: &mut impl FnMut(&Value, &mut Path)) {
    match nesting {
        Nesting::Single | Nesting::Group => visit(value, path),
        Nesting::List | Nesting::Set | Nesting::Map => {
            for (step, element) in elements(value) {
                path.push(step);
                visit(element, path);
                path.pop();
            }
        }
    }
}

/// The value of a block with every write-only attribute null: what may be planned and stored of a configuration. A null
/// that is configured stays as it is: OpenTofu refuses a plan in which it has another type.
#[must_use]
pub fn write_only_nulled(block: &Block, value: &Value) -> Value {
    let value = null_in_attributes(&block.attributes, value);
    block.blocks.iter().fold(value, |value, nested| {
        let Some(content) = value.attribute(&nested.name) else { return value };
        let nulled = null_in_objects(nested.nesting, content, |object| write_only_nulled(&nested.block, object));
        value.with_attribute(Arc::clone(&nested.name), nulled)
    })
}

fn null_in_attributes(attributes: &[Attribute], object: &Value) -> Value {
    attributes.iter().fold(object.clone(), |object, attribute| {
        let Some(value) = object.attribute(&attribute.name) else { return object };
        let nulled = match &attribute.ty {
            _ if attribute.write_only && value.is_null() => return object,
            _ if attribute.write_only => Value::null(attribute.implied_type()),
            AttributeType::Plain(_) => return object,
            AttributeType::Nested(nested) => null_in_nested(nested, value),
        };
        object.with_attribute(Arc::clone(&attribute.name), nulled)
    })
}

fn null_in_nested(nested: &NestedObject, value: &Value) -> Value {
    null_in_objects(nested.nesting, value, |object| null_in_attributes(&nested.attributes, object))
}

fn null_in_objects(nesting: Nesting, value: &Value, change: impl Fn(&Value) -> Value) -> Value {
    match nesting {
        Nesting::Single | Nesting::Group => change(value),
        Nesting::List | Nesting::Set | Nesting::Map => with_elements(value, value.children().map(change).collect()),
    }
}
