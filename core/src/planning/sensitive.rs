//! Which parts of a value a schema calls sensitive.

use std::sync::Arc;

use super::compare::with_elements;
use crate::cty::{Marks, Value};
use crate::schema::{Attribute, AttributeType, Block, Nesting};

/// Whether the attribute or any attribute inside it is sensitive or write-only.
#[must_use]
pub fn is_sensitive(attribute: &Attribute) -> bool {
    attribute.sensitive
        || attribute.write_only
        || match &attribute.ty {
            AttributeType::Plain(_) => false,
            AttributeType::Nested(nested) => nested.attributes.iter().any(is_sensitive),
        }
}

/// The value of a block with every part marked that its schema calls sensitive or write-only, so that nothing which
/// shows the value shows those. Null parts are left unmarked: that nothing is there is no secret.
#[must_use]
pub fn mark_sensitive(block: &Block, value: &Value) -> Value {
    let value = block.attributes.iter().filter(|attribute| is_sensitive(attribute)).fold(value.clone(), mark_attribute);
    block.blocks.iter().fold(value, |value, nested| {
        let Some(content) = value.attribute(&nested.name) else { return value };
        let marked = match nested.nesting {
            Nesting::Single | Nesting::Group => mark_sensitive(&nested.block, content),
            Nesting::List | Nesting::Set | Nesting::Map => {
                let elements = content.children().map(|element| mark_sensitive(&nested.block, element)).collect();
                with_elements(content, elements)
            }
        };
        value.with_attribute(Arc::clone(&nested.name), marked)
    })
}

/// The object with one attribute's value marked.
fn mark_attribute(object: Value, attribute: &Attribute) -> Value {
    let Some(value) = object.attribute(&attribute.name) else { return object };
    let marked = mark_attribute_value(attribute, value);
    object.with_attribute(Arc::clone(&attribute.name), marked)
}

fn mark_attribute_value(attribute: &Attribute, value: &Value) -> Value {
    if value.is_null() {
        return value.clone();
    }
    if attribute.sensitive || attribute.write_only {
        return value.clone().with_marks(Marks::SENSITIVE);
    }
    let AttributeType::Nested(nested) = &attribute.ty else { return value.clone() };
    let mark_object = |object: &Value| {
        nested.attributes.iter().filter(|attribute| is_sensitive(attribute)).fold(object.clone(), mark_attribute)
    };
    match nested.nesting {
        Nesting::Single | Nesting::Group => mark_object(value),
        Nesting::List | Nesting::Set | Nesting::Map => {
            with_elements(value, value.children().map(mark_object).collect())
        }
    }
}
