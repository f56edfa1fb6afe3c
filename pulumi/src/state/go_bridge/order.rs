//! The order of sets in outputs.
//!
//! A set has no order in Terraform, but the array that it is in Pulumi has. The Go bridge has elements as the provider
//! says them, we in Terraform's order. Where a refresh finds the elements that are stored already it keeps their order,
//! or it would show a change where there is none.

use std::collections::{BTreeMap, VecDeque};

use denobridge_sdk_gen::{ObjectNames, Shape};

use super::DELTA;
use super::delta::Delta;
use crate::property_value::{PropertyMap, PropertyValue};
use crate::state::raw;

/// Gives each set among the outputs the order that it has in `stored`, if it has the same elements there.
pub(in crate::state) fn keep(outputs: &mut PropertyMap, stored: &PropertyMap, names: &ObjectNames) {
    let mut delta = outputs.get(DELTA).and_then(|delta| Delta::read(delta).ok());
    if object(outputs, stored, delta.as_mut(), names)
        && let Some(delta) = delta
    {
        outputs.insert(DELTA.to_owned(), delta.write());
    }
}

/// Whether anything was put in another order, here and below.
fn object(entries: &mut PropertyMap, stored: &PropertyMap, delta: Option<&mut Delta>, names: &ObjectNames) -> bool {
    let mut parts = match delta {
        Some(Delta::Object(object)) => Some(&mut object.parts),
        _ => None,
    };
    names.fields().fold(false, |moved, field| match (entries.get_mut(&*field.pulumi), stored.get(&*field.pulumi)) {
        (Some(property), Some(stored)) => {
            let delta = parts.as_mut().and_then(|parts| parts.get_mut(&*field.pulumi));
            part(property, stored, delta, &field.shape) || moved
        }
        _ => moved,
    })
}

fn part(property: &mut PropertyValue, stored: &PropertyValue, delta: Option<&mut Delta>, shape: &Shape) -> bool {
    match (property, stored.plain(), shape) {
        (PropertyValue::Secret(inner), stored, shape) => part(inner, stored, delta, shape),
        (PropertyValue::Array(items), PropertyValue::Array(stored), Shape::Set(_)) => set(items, stored, delta),
        (PropertyValue::Array(items), PropertyValue::Array(stored), Shape::List(element)) => {
            let mut parts = match delta {
                Some(Delta::Array(parts)) => Some(parts),
                _ => None,
            };
            items.iter_mut().zip(stored).enumerate().fold(false, |moved, (index, (item, stored))| {
                let delta = parts.as_mut().and_then(|parts| parts.get_mut(&index));
                part(item, stored, delta, element) || moved
            })
        }
        (PropertyValue::Object(entries), PropertyValue::Object(stored), Shape::Map(element)) => {
            let mut parts = match delta {
                Some(Delta::Map(parts)) => Some(parts),
                _ => None,
            };
            entries.iter_mut().fold(false, |moved, (key, item)| {
                let delta = parts.as_mut().and_then(|parts| parts.get_mut(key));
                stored.get(key).is_some_and(|stored| part(item, stored, delta, element)) || moved
            })
        }
        (PropertyValue::Object(entries), PropertyValue::Object(stored), Shape::Object(names)) => {
            object(entries, stored, delta, names)
        }
        // An array of one object at most is that object.
        (property @ PropertyValue::Object(_), stored, Shape::List(element) | Shape::Set(element)) => match delta {
            Some(Delta::Plural(inner)) => part(property, stored, Some(inner), element),
            _ => false,
        },
        _ => false,
    }
}

fn set(items: &mut Vec<PropertyValue>, stored: &[PropertyValue], delta: Option<&mut Delta>) -> bool {
    let Some(order) = order(items, stored) else { return false };
    *items = order.iter().filter_map(|from| items.get(*from).cloned()).collect();
    if let Some(Delta::Array(parts)) = delta {
        *parts = order.iter().enumerate().filter_map(|(to, from)| Some((to, parts.remove(from)?))).collect();
    }
    true
}

/// Where each stored element is among the items; none if they are not the same, or in that order already.
fn order(items: &[PropertyValue], stored: &[PropertyValue]) -> Option<Vec<usize>> {
    let text = |item: &PropertyValue| raw::natural(item).to_string();
    let mut places: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
    for (index, item) in items.iter().enumerate() {
        places.entry(text(item)).or_default().push_back(index);
    }
    let order: Option<Vec<_>> = stored.iter().map(|item| places.get_mut(&text(item))?.pop_front()).collect();
    order.filter(|order| order.len() == items.len() && !order.is_sorted())
}
