//! Read: what has become of a resource (refresh), and what is behind an id (import and `get`).

use std::sync::Arc;

use bytes::Bytes;
use denobridge_core::cty::{Type, Value};
use denobridge_core::planning::rules;
use denobridge_core::provider::{ImportResourceStateRequest, ReadResourceRequest};

use super::found_inputs::refreshed_inputs;
use super::plan::Applied;
use super::prior::Prior;
use super::{CAPABILITIES, Operation, timeouts};
use crate::conventions::Conventions;
use crate::errors::Failure;
use crate::property_value::PropertyMap;
use crate::state;
use crate::translate::inputs;

/// What the Go bridge calls a resource whose `id` is no text, or that has none.
const GO_BRIDGE_HAS_NO_ID: &str = "missing ID";

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
        self.learn(&[properties, old_inputs]);
        self.require_configured()?;
        if self.is_stored(properties, old_inputs) {
            return self.refresh(id, properties, old_inputs).await;
        }
        let prior = if properties.is_empty() { self.import(id).await? } else { Some(self.known_of(id, properties)?) };
        let Some(prior) = prior else { return Ok(None) };
        let Some(found) = self.look(&prior).await? else { return Ok(None) };
        let inputs = self.imported_inputs(&found).await?;
        Ok(Some(Found { applied: self.kept_as(id, &found)?, inputs }))
    }

    /// Whether these are the outputs of a resource that is in the state, rather than what a program knows of one that it
    /// wants to `get`: that comes as properties and as inputs. What the Go bridge has stored may bear no mark of it.
    fn is_stored(&self, properties: &PropertyMap, inputs: &PropertyMap) -> bool {
        let foreign = self.conventions() == Conventions::GoBridge && !properties.is_empty();
        state::is_ours(properties) || (foreign && properties != inputs)
    }

    async fn refresh(
        &self,
        id: &str,
        properties: &PropertyMap,
        old_inputs: &PropertyMap,
    ) -> Result<Option<Found>, Failure> {
        let prior = self.prior(properties).await?;
        let Some(found) = self.look(&prior).await? else { return Ok(None) };
        let inputs = refreshed_inputs(old_inputs, &prior.value, &found.value, self.fields());
        let mut applied = self.kept_as(id, &found)?;
        state::keep_order(self.conventions(), &mut applied.outputs, properties, self.fields());
        Ok(Some(Found { applied, inputs }))
    }

    /// The state as the provider finds it now. What was secret still is.
    async fn look(&self, prior: &Prior) -> Result<Option<Prior>, Failure> {
        let schema = self.schema()?;
        // There is no configuration to hold the limit: providers look for it in the state.
        let limited = self.with_limit(&schema.block, &prior.value);
        let said = timeouts::said(limited.is_some(), &prior.value);
        let current = limited.unwrap_or_else(|| prior.value.clone());
        let request = ReadResourceRequest {
            type_name: Arc::clone(&self.type_name),
            current_state: current.into(),
            private: prior.private.clone(),
            current_identity: prior.identity.clone().map(Into::into),
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
        let identity = self.required_identity(answer.new_identity.as_ref(), false)?;
        let value = timeouts::restored(value, said.as_ref());
        let value = self.marked(&value, &Value::null(value.ty()), &prior.value);
        Ok(Some(Prior { value, private: answer.private, private_is_secret: prior.private_is_secret, identity }))
    }

    /// What an import starts from; `None`: there is no such resource.
    async fn import(&self, id: &str) -> Result<Option<Prior>, Failure> {
        let schema = self.schema()?;
        let identity = self.identity(id)?;
        let by_identity = identity.is_some();
        let request = ImportResourceStateRequest {
            type_name: Arc::clone(&self.type_name),
            id: if by_identity { String::new() } else { id.to_owned() },
            client_capabilities: CAPABILITIES,
            identity,
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
        if value.is_null() && found.len() == 1 {
            return Ok(None);
        }
        self.require(&rules::imported(&schema.block, &found, &value, true, by_identity))?;
        let Some(found) = found.into_iter().next() else { return Ok(None) };
        let identity = self.required_identity(found.identity.as_ref(), false)?;
        Ok(Some(Prior { identity, ..Prior::new(value, found.private) }))
    }

    /// What a program knows of a resource that it wants to `get`, as a state to start reading from.
    fn known_of(&self, id: &str, properties: &PropertyMap) -> Result<Prior, Failure> {
        let (value, errors) = inputs::root(properties, self.fields(), inputs::Origin::State);
        if let Some(error) = errors.first() {
            return Err(self.failed(&[format!("property `{}`: {error}", error.path())]));
        }
        let value = match self.fields().by_terraform("id") {
            Some(field) if field.is_id => value.with_attribute("id", Value::string(id)),
            // It is a property as well, which the program need not repeat.
            Some(field) if field.ty == Type::String && value.attribute("id").is_some_and(Value::is_null) => {
                value.with_attribute("id", Value::string(id))
            }
            _ => value,
        };
        Ok(Prior::new(value, Bytes::new()))
    }

    /// The state in the form in which it is kept. A resource that has no id of its own keeps the one it has, and so does
    /// one that the Go bridge has found no id for.
    fn kept_as(&self, id: &str, found: &Prior) -> Result<Applied, Failure> {
        let applied = self.kept(found)?;
        if !applied.left_out.is_empty() {
            return Err(self.failed(&applied.left_out));
        }
        let changes = id.is_empty() || (self.own_id(&found.value).is_some() && id != GO_BRIDGE_HAS_NO_ID);
        Ok(if changes { applied } else { Applied { id: id.to_owned(), ..applied } })
    }
}
