//! Filling in defaults: what is planned where the configuration says nothing.

use denobridge_core::cty::{Value, ValueKind};
use denobridge_core::schema::{Attribute, AttributeType, Block, Nesting};

use super::unknowns::replace_children;

/// The planned value with the default of every attribute that has one and that the configuration leaves out.
pub(super) fn filled(block: &Block, planned: &Value, config: &Value) -> Value {
    let planned = in_attributes(&block.attributes, planned, config);
    block.blocks.iter().fold(planned, |planned, nested| {
        let (Some(inner), Some(inner_config)) = (planned.attribute(&nested.name), config.attribute(&nested.name))
        else {
            return planned;
        };
        let settled = block_settled(&nested.block);
        let inner = in_objects(nested.nesting, inner, inner_config, settled, &|object, config| {
            filled(&nested.block, object, config)
        });
        planned.with_attribute(nested.name.clone(), inner)
    })
}

fn in_attributes(attributes: &[Attribute], planned: &Value, config: &Value) -> Value {
    if planned.as_entries().is_none() {
        return planned.clone();
    }
    attributes.iter().fold(planned.clone(), |planned, attribute| {
        let configured = config.attribute(&attribute.name).filter(|value| !value.is_null());
        let changed = match (&attribute.ty, configured, default_of(attribute)) {
            (_, None, Some(default)) => default.clone(),
            (AttributeType::Nested(nested), Some(config), _) => {
                let Some(inner) = planned.attribute(&attribute.name) else { return planned };
                let settled = attributes_settled(&nested.attributes);
                in_objects(nested.nesting, inner, config, settled, &|object, config| {
                    in_attributes(&nested.attributes, object, config)
                })
            }
            _ => return planned,
        };
        planned.with_attribute(attribute.name.clone(), changed)
    })
}

fn in_objects(
    nesting: Nesting,
    planned: &Value,
    config: &Value,
    settled: bool,
    change: &dyn Fn(&Value, &Value) -> Value,
) -> Value {
    match (nesting, planned.kind()) {
        (_, ValueKind::Null(_) | ValueKind::Unknown(..)) => planned.clone(),
        (Nesting::Single | Nesting::Group, _) => change(planned, config),
        (Nesting::List | Nesting::Map, _) => replace_children(planned, |step, child| match config.step(step) {
            Some(config) => change(child, config),
            None => child.clone(),
        }),
        (Nesting::Set, ValueKind::Set(element, items)) => {
            // An element of a set cannot be told from its former self, so where nothing but defaults is computed the
            // configured elements say all; elsewhere only what is still null can be filled in.
            let items = if settled { config.as_elements().unwrap_or(items) } else { items.as_slice() };
            let items: Vec<Value> = items.iter().map(|item| change(item, item)).collect();
            Value::set(element.clone(), items).with_marks(planned.marks())
        }
        (Nesting::Set, _) => planned.clone(),
    }
}

fn default_of(attribute: &Attribute) -> Option<&Value> {
    attribute.annotations.as_ref()?.default.as_ref()
}

/// Whether everything in it comes from the configuration or from a default.
fn block_settled(block: &Block) -> bool {
    attributes_settled(&block.attributes) && block.blocks.iter().all(|nested| block_settled(&nested.block))
}

fn attributes_settled(attributes: &[Attribute]) -> bool {
    attributes.iter().all(|attribute| {
        let nested = match &attribute.ty {
            AttributeType::Nested(nested) => attributes_settled(&nested.attributes),
            AttributeType::Plain(_) => true,
        };
        nested && (!attribute.computed || default_of(attribute).is_some())
    })
}
