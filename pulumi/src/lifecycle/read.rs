//! Read: what has become of a resource (refresh), and what is behind an id (import and `get`).

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::planning::{rules, same_value};
use denobridge_core::provider::{ImportResourceStateRequest, ReadResourceRequest};
use denobridge_sdk_gen::{Field, ObjectNames, Shape, Source};

use super::plan::Applied;
use super::prior::Prior;
use super::{CAPABILITIES, Operation};
use crate::errors::Failure;
use crate::property_value::{PropertyMap, PropertyValue};
use crate::state;
use crate::translate::{align, inputs, outputs};

/// A resource as it was found.
pub(crate) struct Found {
    pub(crate) applied: Applied,
    pub(crate) inputs: PropertyMap,
}

impl Operation {
    /// Looks at a resource; `None`: it is gone, or there is none.
    ///
    /// The engine asks in three situations. For a refresh it sends what is stored. For an import it sends nothing but
    /// the id. For `get` it sends what the program knows of the resource, which may be nothing: then the provider has
    /// to find everything by the id, as in an import.
    pub(crate) async fn read(
        &self,
        id: &str,
        properties: &PropertyMap,
        old_inputs: &PropertyMap,
    ) -> Result<Option<Found>, Failure> {
        if self.is_action() {
            return self.read_action(id, properties.clone(), old_inputs.clone()).map(Some);
        }
        if state::is_ours(properties) {
            return self.refresh(id, properties, old_inputs).await;
        }
        let prior = if properties.is_empty() { self.import(id).await? } else { self.known_of(id, properties)? };
        let Some((value, private)) = self.look(&prior).await? else { return Ok(None) };
        let value = self.marked(&value, &Value::null(value.ty()), &prior.value);
        let inputs = derived_inputs(&value, self.fields());
        Ok(Some(Found { applied: self.kept_as(id, &value, private, prior.private_is_secret)?, inputs }))
    }

    async fn refresh(
        &self,
        id: &str,
        properties: &PropertyMap,
        old_inputs: &PropertyMap,
    ) -> Result<Option<Found>, Failure> {
        let prior = self.prior(properties).await?;
        let Some((value, private)) = self.look(&prior).await? else { return Ok(None) };
        let value = self.marked(&value, &Value::null(value.ty()), &prior.value);
        let inputs = refreshed_inputs(old_inputs, &prior.value, &value, self.fields());
        let mut applied = self.kept_as(id, &value, private, prior.private_is_secret)?;
        state::keep_order(self.conventions(), &mut applied.outputs, properties, self.fields());
        Ok(Some(Found { applied, inputs }))
    }

    /// The state as the provider finds it now, with its private data.
    async fn look(&self, prior: &Prior) -> Result<Option<(Value, Bytes)>, Failure> {
        let schema = self.schema()?;
        let request = ReadResourceRequest {
            type_name: Arc::clone(&self.type_name),
            current_state: prior.value.clone().into(),
            private: prior.private.clone(),
            client_capabilities: CAPABILITIES,
            ..ReadResourceRequest::default()
        };
        let answer = self.ask(|provider, call| provider.read_resource(call, request)).await?;
        self.settle(&answer.diagnostics)?;
        self.require(&rules::deferral(false, answer.deferred))?;
        let value = self.decode(&answer.new_state, &schema.implied_type())?;
        if value.is_null() {
            return Ok(None);
        }
        self.require(&rules::read_result(&schema.block, &value))?;
        Ok(Some((value, answer.private)))
    }

    async fn import(&self, id: &str) -> Result<Prior, Failure> {
        let schema = self.schema()?;
        let request = ImportResourceStateRequest {
            type_name: Arc::clone(&self.type_name),
            id: id.to_owned(),
            client_capabilities: CAPABILITIES,
            identity: None,
        };
        let answer = self.ask(|provider, call| provider.import_resource_state(call, request)).await?;
        self.settle(&answer.diagnostics)?;
        self.require(&rules::deferral(false, answer.deferred))?;
        let mut found = answer.imported_resources;
        // An import may bring along other resources; this one is what was asked for.
        if found.len() > 1 {
            found.retain(|found| found.type_name == self.type_name);
        }
        let value = match found.first() {
            Some(found) => self.decode(&found.state, &schema.implied_type())?,
            None => Value::null(schema.implied_type()),
        };
        self.require(&rules::imported(&schema.block, &found, &value, true, false))?;
        let private = found.into_iter().next().map(|found| found.private).unwrap_or_default();
        Ok(Prior::new(value, private))
    }

    /// What a program knows of a resource that it wants to `get`, as a state to start reading from.
    fn known_of(&self, id: &str, properties: &PropertyMap) -> Result<Prior, Failure> {
        let (value, errors) = inputs::root(properties, self.fields(), inputs::Origin::State);
        if let Some(error) = errors.first() {
            return Err(self.failed(&[format!("property `{}`: {error}", error.path())]));
        }
        let value = match self.fields().by_terraform("id") {
            Some(field) if field.is_id => value.with_attribute("id", Value::string(id)),
            _ => value,
        };
        Ok(Prior::new(value, Bytes::new()))
    }

    /// The state in the form in which it is kept. A resource that has no id of its own keeps the one it has.
    fn kept_as(&self, id: &str, value: &Value, private: Bytes, private_is_secret: bool) -> Result<Applied, Failure> {
        let applied = self.kept(value, private, private_is_secret)?;
        if !applied.left_out.is_empty() {
            return Err(self.failed(&applied.left_out));
        }
        let own = value.attribute("id").and_then(Value::as_str).is_some_and(|own| !own.is_empty());
        Ok(if own || id.is_empty() { applied } else { Applied { id: id.to_owned(), ..applied } })
    }
}

/// The program's inputs after a refresh: as they were, except where the state has changed behind the program's back.
/// Then the input says what is really there, as far as the program has said anything.
fn refreshed_inputs(old: &PropertyMap, prior: &Value, found: &Value, names: &ObjectNames) -> PropertyMap {
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
