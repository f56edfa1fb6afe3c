//! From a state to the configuration that would make it.

use denobridge_core::cty::{Value, ValueKind};
use denobridge_core::schema::{Attribute, AttributeType, Block, Nesting};

use super::unknowns::replace_children;

/// The state without what only the provider sets, what must not be written down, and what is deprecated: a configuration
/// that leaves the object as it is.
#[must_use]
pub fn config_of(block: &Block, state: &Value) -> Value {
    let config = attributes(&block.attributes, state);
    block.blocks.iter().fold(config, |config, nested| {
        let Some(content) = config.attribute(&nested.name) else { return config };
        let content = each(nested.nesting, content, &|object| config_of(&nested.block, object));
        config.with_attribute(nested.name.clone(), content)
    })
}

fn attributes(attributes: &[Attribute], object: &Value) -> Value {
    if object.as_entries().is_none() {
        return object.clone();
    }
    attributes.iter().fold(object.clone(), |object, attribute| {
        let read_only = attribute.computed && !attribute.optional && !attribute.required;
        let left_out = read_only || attribute.write_only || (attribute.deprecation.is_some() && !attribute.required);
        let value = match (&attribute.ty, object.attribute(&attribute.name)) {
            (_, None) => return object,
            _ if left_out => Value::null(attribute.implied_type()),
            (AttributeType::Nested(nested), Some(value)) => {
                each(nested.nesting, value, &|object| self::attributes(&nested.attributes, object))
            }
            (AttributeType::Plain(_), Some(_)) => return object,
        };
        object.with_attribute(attribute.name.clone(), value)
    })
}

fn each(nesting: Nesting, value: &Value, change: &dyn Fn(&Value) -> Value) -> Value {
    match (nesting, value.kind()) {
        (Nesting::Single | Nesting::Group, _) => change(value),
        (_, ValueKind::Set(element, items)) => {
            Value::set(element.clone(), items.iter().map(change)).with_marks(value.marks())
        }
        _ => replace_children(value, |_, child| change(child)),
    }
}
