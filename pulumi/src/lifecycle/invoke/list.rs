//! Gathering what a list resource finds. The engine has no way to take results one by one, so they come all at once and
//! there is always a limit.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::provider::{ListResourceEvent, ListResourceRequest};
use denobridge_core::{Diagnostics, DynamicValue};
use denobridge_sdk_gen::{Field, ObjectNames, Returns, Shape, native};
use futures::StreamExt as _;

use crate::errors::Failure;
use crate::lifecycle::Operation;
use crate::lifecycle::check::Checked;
use crate::property_value::{PropertyMap, PropertyValue};
use crate::proto::pulumirpc::CheckFailure;
use crate::translate::outputs;

impl Operation {
    pub(super) async fn list(&self, checked: Checked, limit: i64) -> Result<PropertyMap, Failure> {
        let include_resource = checked.own.attribute("include_resource").and_then(Value::as_bool).unwrap_or(false);
        let request = ListResourceRequest {
            type_name: Arc::clone(&self.type_name),
            config: checked.config.into(),
            include_resource_object: include_resource,
            limit,
        };
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let events = self.ask(|provider, call| {
            let answer = provider.list_resource(call, request);
            async move {
                // A provider that fails says so in an event beside those with finds: those do not count.
                let mut events: Vec<ListResourceEvent> = Vec::new();
                let mut finds = 0;
                let mut found = answer.await?.events;
                while let Some(event) = found.next().await {
                    finds += usize::from(is_find(&event));
                    events.push(event);
                    if finds == most {
                        break;
                    }
                }
                Ok(events)
            }
        });
        let events = events.await?;
        let said: Diagnostics = events.iter().flat_map(|event| event.diagnostics.iter().cloned()).collect();
        self.settle(&said)?;
        let results = events.iter().filter(|event| is_find(event)).map(|event| self.find(event, include_resource));
        let results = results.map(|result| result.map(PropertyValue::Object)).collect::<Result<Vec<_>, _>>()?;
        Ok(PropertyMap::from([("results".to_owned(), PropertyValue::Array(results))]))
    }

    /// One find, by the table of the results.
    fn find(&self, event: &ListResourceEvent, include_resource: bool) -> Result<PropertyMap, Failure> {
        let mut find = PropertyMap::from([("displayName".to_owned(), event.display_name.as_str().into())]);
        for field in self.result_fields() {
            let value = match &*field.terraform {
                "identity" => &event.identity,
                "resource" if include_resource => event.resource_object.as_ref().unwrap_or(&DynamicValue::Absent),
                _ => continue,
            };
            let value = self.decode(value, &field.ty)?;
            if !value.is_wholly_known() {
                let reason = format!("the provider returned a {} with a value that is not known", field.terraform);
                return Err(self.failed(&[reason]));
            }
            let found = Value::object([(Arc::clone(&field.terraform), value)]);
            if let Some(property) = outputs::field_property(field, &found) {
                find.insert(field.pulumi.to_string(), property);
            }
        }
        Ok(find)
    }

    fn result_fields(&self) -> impl Iterator<Item = &Field> {
        let table = match self.component().map(|component| &component.returns) {
            Some(Returns::Object(names)) => names.by_terraform("results"),
            _ => None,
        };
        let element = table.and_then(|results| results.shape.element());
        let names: Option<&ObjectNames> = match element {
            Some(Shape::Object(names)) => Some(names),
            _ => None,
        };
        names.into_iter().flat_map(ObjectNames::fields)
    }
}

/// How many finds are wanted.
pub(super) fn limit(own: &Value) -> Result<i64, CheckFailure> {
    match own.attribute("limit").and_then(Value::as_number) {
        None => Ok(native::DEFAULT_LIMIT),
        Some(limit) => limit.to_i64().filter(|limit| *limit > 0).ok_or_else(|| CheckFailure {
            property: native::LIMIT.to_owned(),
            reason: format!("it must be a whole number of at least 1, and is {limit}"),
        }),
    }
}

/// Whether something was found; otherwise the event says something about the search.
fn is_find(event: &ListResourceEvent) -> bool {
    !event.diagnostics.has_errors()
        && (!event.identity.is_null() || event.resource_object.is_some() || !event.display_name.is_empty())
}
