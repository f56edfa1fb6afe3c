//! Making computed attributes unknown, and replacing one part of a value.

use denobridge_core::cty::{PathStep, Type, Value, ValueKind};
use denobridge_core::schema::{Attribute, AttributeType, Block, NestedObject, Nesting};

/// The planned value with every computed attribute unknown that the configuration leaves out. Which element of a set belongs
/// to which configured one cannot be told, so there only those become unknown that have no value yet, or all if not all of the
/// set is known.
pub(super) fn computed_unknown(block: &Block, planned: &Value, config: &Value) -> Value {
    let planned = in_attributes(&block.attributes, planned, config);
    block.blocks.iter().fold(planned, |planned, nested| {
        let (Some(inner), Some(inner_config)) = (planned.attribute(&nested.name), config.attribute(&nested.name))
        else {
            return planned;
        };
        let inner = in_objects(nested.nesting, inner, inner_config, &|object, config| {
            computed_unknown(&nested.block, object, config)
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
        let changed = match (&attribute.ty, configured) {
            (_, None) if attribute.computed => {
                // The proposed state has already brought over what was there before.
                if keeps_state(attribute) && planned.attribute(&attribute.name).is_some_and(|value| !value.is_null()) {
                    return planned;
                }
                Value::unknown(attribute.implied_type())
            }
            (AttributeType::Nested(nested), Some(config)) => {
                let Some(inner) = planned.attribute(&attribute.name) else { return planned };
                in_nested(nested, inner, config)
            }
            _ => return planned,
        };
        planned.with_attribute(attribute.name.clone(), changed)
    })
}

fn keeps_state(attribute: &Attribute) -> bool {
    attribute.annotations.as_ref().is_some_and(|annotations| annotations.keeps_state)
}

fn in_nested(nested: &NestedObject, planned: &Value, config: &Value) -> Value {
    in_objects(nested.nesting, planned, config, &|object, config| in_attributes(&nested.attributes, object, config))
}

fn in_objects(nesting: Nesting, planned: &Value, config: &Value, change: &dyn Fn(&Value, &Value) -> Value) -> Value {
    match (nesting, planned.kind()) {
        (_, ValueKind::Null(_) | ValueKind::Unknown(..)) => planned.clone(),
        (Nesting::Set, ValueKind::Set(element, items)) => {
            // The host has matched prior elements with configured ones by what is known of them. It may match them otherwise
            // once it knows more, and what was brought over to one element now would be missing there then.
            let is_final = config.is_wholly_known();
            let items = if is_final { items.as_slice() } else { config.as_elements().unwrap_or(items) };
            let items = items.iter().map(with_parts);
            let items: Vec<Value> = items.map(|item| change(&item, &item)).collect();
            Value::set(element.clone(), items).with_marks(planned.marks())
        }
        (Nesting::Set, _) => planned.clone(),
        (Nesting::Single | Nesting::Group, _) => change(planned, config),
        (Nesting::List | Nesting::Map, _) => replace_children(planned, |step, child| match config.step(step) {
            Some(config) => change(child, config),
            None => child.clone(),
        }),
    }
}

/// An object that is unknown as one of which everything is: core does not take a block that is not known itself.
fn with_parts(object: &Value) -> Value {
    match object.kind() {
        ValueKind::Unknown(Type::Object(ty), _) => {
            let parts = ty.attributes.iter().map(|(name, ty)| (name.clone(), Value::unknown(ty.clone())));
            Value::object(parts.collect::<Vec<_>>()).with_marks(object.marks())
        }
        _ => object.clone(),
    }
}

/// The value with its part at `steps` replaced; unchanged where there is no such part.
pub(super) fn with_part(value: &Value, steps: &[PathStep], part: Value) -> Value {
    let Some((first, rest)) = steps.split_first() else { return part.with_marks(value.marks()) };
    replace_children(
        value,
        |step, child| {
            if step == first { with_part(child, rest, part.clone()) } else { child.clone() }
        },
    )
}

pub(super) fn replace_children(value: &Value, mut change: impl FnMut(&PathStep, &Value) -> Value) -> Value {
    let mut item =
        |(index, item): (usize, &Value)| change(&PathStep::Index(i64::try_from(index).unwrap_or(i64::MAX)), item);
    let replaced = match value.kind() {
        ValueKind::List(element, items) => {
            Value::list(element.clone(), items.iter().enumerate().map(&mut item).collect::<Vec<_>>())
        }
        ValueKind::Tuple(items) => Value::tuple(items.iter().enumerate().map(&mut item).collect::<Vec<_>>()),
        ValueKind::Map(element, entries) => Value::map(
            element.clone(),
            entries.iter().map(|(key, item)| (key, change(&PathStep::Key(key.clone()), item))).collect::<Vec<_>>(),
        ),
        ValueKind::Object(attributes) => Value::object(
            attributes
                .iter()
                .map(|(name, item)| (name.clone(), change(&PathStep::Attribute(name.clone()), item)))
                .collect::<Vec<_>>(),
        ),
        _ => return value.clone(),
    };
    replaced.with_marks(value.marks())
}
