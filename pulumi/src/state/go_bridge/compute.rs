//! Finding the delta between outputs and raw state. Where there is no short one, the raw state itself is it.

use denobridge_core::cty::{Type, Value, ValueKind, json};
use denobridge_sdk_gen::{ObjectNames, Shape};
use serde_json::Value as Json;

use super::delta::{Delta, ObjectDelta, is_exactly};
use super::{RESERVED, TIMEOUTS, Whole, is_unset};
use crate::property_value::{PropertyMap, PropertyValue};
use crate::state::names::nearest_terraform_name;

/// The delta as the Go bridge has it.
pub(super) fn whole(state: &Whole<'_>) -> Delta {
    let mut delta = object(state.value, state.outputs, state.names);
    for field in state.names.fields().filter(|field| &*field.terraform == TIMEOUTS) {
        if is_unset(field, state.raw, state.outputs) {
            delta.parts.remove(&*field.pulumi);
        }
    }
    Delta::Object(delta)
}

/// The state as a whole.
pub(super) fn replaced(state: &Whole<'_>) -> Delta {
    Delta::Replace(Json::Object(state.raw.clone()))
}

fn object(value: &Value, entries: &PropertyMap, names: &ObjectNames) -> ObjectDelta {
    let mut delta = ObjectDelta::default();
    for field in names.fields() {
        let Some(value) = value.attribute(&field.terraform) else { continue };
        let key = field.pulumi.to_string();
        if nearest_terraform_name(&key) != *field.terraform {
            delta.renamed.insert(key.clone(), field.terraform.to_string());
        }
        let part = match entries.get(&key) {
            Some(property) => part(property, value, &field.ty, &field.shape),
            None => replace(value, &field.ty),
        };
        delta.parts.insert(key, part);
    }
    let is_known = |key: &str| RESERVED.contains(&key) || names.by_pulumi(key).is_some();
    delta.ignored = entries.keys().filter(|key| !is_known(key)).cloned().collect();
    delta
}

fn part(property: &PropertyValue, value: &Value, ty: &Type, shape: &Shape) -> Delta {
    let property = property.plain();
    // Only raw state says which type a dynamic value has.
    if *ty == Type::Dynamic {
        return replace(value, ty);
    }
    match (value.kind(), property) {
        (ValueKind::Null(_), PropertyValue::Null) => Delta::Natural,
        (ValueKind::String(text), PropertyValue::String(property)) if **text == **property => Delta::Natural,
        (ValueKind::Bool(value), PropertyValue::Bool(property)) if value == property => Delta::Natural,
        (ValueKind::Number(number), PropertyValue::Number(double)) if is_exactly(*double, number) => Delta::Natural,
        (ValueKind::Number(_), PropertyValue::String(_)) => Delta::Number,
        (ValueKind::List(_, items) | ValueKind::Set(_, items) | ValueKind::Tuple(items), property) => {
            elements(property, items, value, ty, shape)
        }
        (ValueKind::Map(_, entries), PropertyValue::Object(properties)) if entries.len() == properties.len() => {
            let (element_shape, element_type) = element(shape, ty, 0);
            let parts = entries.iter().map(|(key, value)| {
                let property = properties.get(&**key)?;
                Some((key.to_string(), part(property, value, element_type, element_shape)))
            });
            parts.collect::<Option<_>>().map_or_else(|| replace(value, ty), Delta::Map)
        }
        (ValueKind::Object(_), PropertyValue::Object(properties)) => match shape {
            Shape::Object(names) => Delta::Object(object(value, properties, names)),
            _ => replace(value, ty),
        },
        _ => replace(value, ty),
    }
}

fn elements(property: &PropertyValue, items: &[Value], value: &Value, ty: &Type, shape: &Shape) -> Delta {
    let part_at = |index: usize, property: &PropertyValue, item: &Value| {
        let (shape, ty) = element(shape, ty, index);
        part(property, item, ty, shape)
    };
    match (property, items) {
        (PropertyValue::Array(properties), items) if properties.len() == items.len() => {
            let parts = properties.iter().zip(items).enumerate();
            Delta::Array(parts.map(|(index, (property, item))| (index, part_at(index, property, item))).collect())
        }
        // An array that is kept as its only element, or as nothing.
        (PropertyValue::Null, []) => Delta::Plural(Box::new(Delta::Natural)),
        (property, [only]) if !matches!(property, PropertyValue::Array(_)) => {
            Delta::Plural(Box::new(part_at(0, property, only)))
        }
        _ => replace(value, ty),
    }
}

/// Shape and type of the elements of a collection; of a tuple, of one of them.
fn element<'t>(shape: &'t Shape, ty: &'t Type, index: usize) -> (&'t Shape, &'t Type) {
    match (shape, ty) {
        (Shape::Tuple(shapes), Type::Tuple(types)) => {
            (shapes.get(index).unwrap_or(&Shape::Dynamic), types.get(index).unwrap_or(&Type::Dynamic))
        }
        (shape, ty) => (shape.element().unwrap_or(&Shape::Dynamic), ty.element().unwrap_or(&Type::Dynamic)),
    }
}

fn replace(value: &Value, ty: &Type) -> Delta {
    // What has no JSON has no raw state either, and then there is no delta at all.
    Delta::Replace(json::to_json(value, ty).unwrap_or(Json::Null))
}
