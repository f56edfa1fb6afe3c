//! The inputs that go with a state that was found: those of the program as far as they are still true, or, for an import,
//! those that would make such a resource.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::planning::{Action, same_value};
use denobridge_sdk_gen::{Field, ObjectNames, Shape, Source};

use super::Operation;
use super::prior::Prior;
use crate::errors::Failure;
use crate::property_value::{PropertyMap, PropertyValue};
use crate::translate::{align, inputs, outputs};

impl Operation {
    /// Inputs that would make a resource like this one, which a later Check and plan leave as they are.
    ///
    /// What is false, zero or empty is left out if the provider agrees that this changes nothing: it is asked to plan
    /// with what is left.
    pub(super) async fn imported_inputs(&self, found: &Prior) -> Result<PropertyMap, Failure> {
        let all = derived_inputs(&found.value, self.fields());
        if !self.conventions().imports_what_matters() {
            return Ok(all);
        }
        let short = what_matters(&all, self.fields(), true);
        Ok(if short != all && self.changes_nothing(found, short.clone()).await { short } else { all })
    }

    /// Whether the provider would leave a resource as it is with these inputs. One that cannot say would not.
    async fn changes_nothing(&self, found: &Prior, inputs: PropertyMap) -> bool {
        let Ok(config) = self.config_over(inputs, &found.value, &[]) else { return false };
        let plan = self.plan(found.clone(), config).await;
        plan.is_ok_and(|plan| plan.action == Action::NoOp)
    }
}

/// Inputs without what is false, zero or empty, which providers of the older kind have where nobody has set anything, and
/// without an `id` that the provider chooses.
fn what_matters(inputs: &PropertyMap, names: &ObjectNames, is_root: bool) -> PropertyMap {
    let matters = |field: &Field, value: &PropertyValue| {
        let chosen = is_root && &*field.terraform == "id" && field.computed;
        field.required || !(chosen || is_zero(value))
    };
    inputs
        .iter()
        .filter_map(|(name, value)| {
            let field = names.by_pulumi(name)?;
            let value = inside(value, &field.shape);
            matters(field, &value).then(|| (name.clone(), value))
        })
        .collect()
}

fn inside(value: &PropertyValue, shape: &Shape) -> PropertyValue {
    match (value, shape) {
        (PropertyValue::Secret(inner), shape) => inside(inner, shape).into_secret(),
        (PropertyValue::Object(entries), Shape::Object(names)) => {
            PropertyValue::Object(what_matters(entries, names, false))
        }
        (PropertyValue::Object(entries), Shape::Map(element)) => {
            PropertyValue::Object(entries.iter().map(|(key, value)| (key.clone(), inside(value, element))).collect())
        }
        (PropertyValue::Array(items), Shape::List(element) | Shape::Set(element)) => {
            PropertyValue::Array(items.iter().map(|item| inside(item, element)).collect())
        }
        // A flattened list or set is its only element by itself.
        (value @ PropertyValue::Object(_), Shape::List(element) | Shape::Set(element)) => inside(value, element),
        (value, _) => value.clone(),
    }
}

fn is_zero(value: &PropertyValue) -> bool {
    match value.plain() {
        PropertyValue::Null | PropertyValue::Bool(false) => true,
        PropertyValue::Number(number) => *number == 0.0,
        PropertyValue::String(text) => text.is_empty(),
        PropertyValue::Array(items) => items.is_empty(),
        PropertyValue::Object(entries) => entries.is_empty(),
        _ => false,
    }
}

/// The program's inputs after a refresh: as they were, except where the state has changed behind the program's back.
/// Then the input says what is really there, as far as the program has said anything.
pub(super) fn refreshed_inputs(old: &PropertyMap, prior: &Value, found: &Value, names: &ObjectNames) -> PropertyMap {
    let (configured, _) = inputs::root(old, names, inputs::Origin::State);
    old.iter()
        .filter_map(|(name, input)| {
            let kept = Some((name.clone(), input.clone()));
            let Some(field) = names.by_pulumi(name).filter(|field| !field.write_only) else { return kept };
            let (Some(before), Some(after)) = (prior.attribute(&field.terraform), found.attribute(&field.terraform))
            else {
                return kept;
            };
            let as_given = configured.attribute(&field.terraform).is_some_and(|value| same_value(value, after));
            if as_given || same_value(before, after) {
                return kept;
            }
            // The inputs say which parts of them are secret; of the state only the whole property may be.
            let marked = match configured.attribute(&field.terraform) {
                Some(configured) => align::with_marks_of(&after.clone().without_marks_deep(), configured),
                None => after.clone(),
            };
            let changed =
                outputs::field_property(field, &found.clone().with_attribute(Arc::clone(&field.terraform), marked))?;
            Some((name.clone(), merged(input, changed, &field.shape)))
        })
        .collect()
}

/// What is there, in the extent and secrecy in which the program has said it.
fn merged(input: &PropertyValue, found: PropertyValue, shape: &Shape) -> PropertyValue {
    if input.is_secret() {
        let found = if let PropertyValue::Secret(inner) = found { *inner } else { found };
        return merged(input.plain(), found, shape).into_secret();
    }
    match (input, found, shape) {
        (input, PropertyValue::Secret(found), shape) => merged(input, *found, shape).into_secret(),
        (PropertyValue::Object(given), PropertyValue::Object(found), Shape::Object(names)) => PropertyValue::Object(
            found
                .into_iter()
                .filter_map(|(name, found)| {
                    let field = names.by_pulumi(&name)?;
                    let input = given.get(&name)?;
                    Some((name, merged(input, found, &field.shape)))
                })
                .collect(),
        ),
        (PropertyValue::Array(given), PropertyValue::Array(found), Shape::List(element)) => PropertyValue::Array(
            found
                .into_iter()
                .enumerate()
                .map(|(index, found)| match given.get(index) {
                    Some(input) => merged(input, found, element),
                    None => settable(found, element),
                })
                .collect(),
        ),
        (_, found, shape) => settable(found, shape),
    }
}

/// Inputs that would make a resource like this one: what a program may set and what is set.
fn derived_inputs(value: &Value, names: &ObjectNames) -> PropertyMap {
    names.fields().filter_map(|field| Some((field.pulumi.to_string(), derived_input(field, value)?))).collect()
}

fn derived_input(field: &Field, object: &Value) -> Option<PropertyValue> {
    if !field.is_input() {
        return None;
    }
    let property = outputs::field_property(field, object)?;
    let property = settable(property, &field.shape);
    // A group block is there even when nothing in it is set.
    let empty = matches!(&property, PropertyValue::Object(entries) if entries.is_empty());
    if empty && matches!(field.source, Source::Block(_)) { None } else { Some(property) }
}

/// What of a value a program may set.
fn settable(value: PropertyValue, shape: &Shape) -> PropertyValue {
    match (value, shape) {
        (PropertyValue::Secret(inner), shape) => settable(*inner, shape).into_secret(),
        (PropertyValue::Object(entries), Shape::Object(names)) => PropertyValue::Object(
            entries
                .into_iter()
                .filter_map(|(name, value)| {
                    let field = names.by_pulumi(&name).filter(|field| field.is_input())?;
                    let value = settable(value, &field.shape);
                    Some((name, value))
                })
                .collect(),
        ),
        (PropertyValue::Object(entries), Shape::Map(element)) => {
            PropertyValue::Object(entries.into_iter().map(|(key, value)| (key, settable(value, element))).collect())
        }
        (PropertyValue::Array(items), Shape::List(element) | Shape::Set(element)) => {
            PropertyValue::Array(items.into_iter().map(|item| settable(item, element)).collect())
        }
        (value @ PropertyValue::Object(_), Shape::List(element) | Shape::Set(element)) => settable(value, element),
        (value, _) => value,
    }
}
