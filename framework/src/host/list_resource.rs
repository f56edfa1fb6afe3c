//! One list resource.

use std::sync::Arc;

use denobridge_core::call::CallError;
use denobridge_core::cty::{Path, Value};
use denobridge_core::diagnostics::{Diagnostic, Diagnostics};
use denobridge_core::planning::rules::{self, Rule, Violation};
use denobridge_core::provider::{ListResourceEvent, ListResourceRequest, ValidateListResourceConfigRequest};
use denobridge_core::schema::IdentitySchema;
use futures::{StreamExt as _, TryFutureExt as _};

use super::component::{Component, component_methods, decoded};
use super::{Exchange, Step};

/// One list resource of a [`super::Host`].
pub struct ListResourceHost<'h> {
    component: Component<'h>,
    /// What is listed: the managed resource of the same name.
    resource: Component<'h>,
    identity: &'h IdentitySchema,
}

/// An object that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedObject {
    /// What tells it apart; [`super::ResourceHost::import_by_identity`] takes it.
    pub identity: Value,
    /// What people call it.
    pub display_name: String,
    /// The whole of it, where that was asked for and the provider had it.
    pub object: Option<Value>,
}

/// All that was found.
#[derive(Default)]
struct Finds {
    objects: Vec<ListedObject>,
    diagnostics: Diagnostics,
    violations: Vec<Violation>,
}

impl<'h> ListResourceHost<'h> {
    pub(super) fn new(component: Component<'h>) -> Result<Self, Diagnostic> {
        let (host, type_name) = (component.host, Arc::clone(&component.type_name));
        let Some(identity) = host.schema.identities.get(&type_name) else {
            let detail =
                format!("{type_name} can be listed only if there is a resource type of that name with an identity.");
            return Err(Diagnostic::error("Nothing to list", detail));
        };
        let among = &host.schema.resources;
        let resource = Component::find(host, "resource type", among, &type_name, component.subject.clone())?;
        Ok(Self { component, resource, identity })
    }
}

impl ListResourceHost<'_> {
    component_methods!();

    /// Asks the provider whether it accepts a configuration, for a search of at most `limit` objects.
    pub async fn validate(&self, config: &Value, include_object: bool, limit: i64) -> Step<()> {
        let component = &self.component;
        let request = ValidateListResourceConfigRequest {
            type_name: Arc::clone(&component.type_name),
            config: config.clone().into(),
            include_resource_object: Value::bool(include_object).into(),
            limit: Value::number(limit).into(),
        };
        let answer = component.host.provider.validate_list_resource_config(&component.call, request);
        component.validated("ValidateListResourceConfig", config, answer.map_ok(|response| response.diagnostics)).await
    }

    /// Lists objects, once the provider has found the configuration valid: at most `limit`, whole ones if
    /// `include_object`. Each must have an identity (R16), the whole ones must be of the resource's schema (R1, R6, R13), and
    /// there must be no more than asked for (R19). The value is what was found before anything went wrong.
    pub async fn list(&self, config: &Value, include_object: bool, limit: i64) -> Step<Vec<ListedObject>> {
        let component = &self.component;
        let mut report = self.validate(config, include_object, limit).await.report;
        report.diagnostics.extend(component.not_known_yet(config));
        if report.failed() {
            return Step { value: Vec::new(), report };
        }
        let exchange = component
            .exchange("ListResource")
            .sent("config", component.marked(config))
            .sent("include object", Value::bool(include_object))
            .sent("limit", Value::number(limit));
        let request = ListResourceRequest {
            type_name: Arc::clone(&component.type_name),
            config: config.clone().into(),
            include_resource_object: include_object,
            limit,
        };
        let Some((exchange, finds)) = component.ask(exchange, self.finds(request), &mut report).await else {
            return Step { value: Vec::new(), report };
        };
        let exchange = finds.objects.iter().fold(exchange, |exchange, found| self.shown(exchange, found));
        component.answered(exchange, finds.diagnostics, finds.violations, &mut report);
        Step { value: finds.objects, report }
    }

    fn shown(&self, exchange: Exchange, found: &ListedObject) -> Exchange {
        let exchange = exchange.received("identity", found.identity.clone());
        match &found.object {
            Some(object) => exchange.received("object", self.resource.marked(object)),
            None => exchange,
        }
    }

    /// Takes events as core does: up to the limit, and none after an error.
    async fn finds(&self, request: ListResourceRequest) -> Result<Finds, CallError> {
        let (limit, include_object) = (usize::try_from(request.limit).unwrap_or(0), request.include_resource_object);
        let call = &self.component.call;
        let mut events = self.component.host.provider.list_resource(call, request).await?.events;
        let mut finds = Finds::default();
        while let Some(event) = events.next().await {
            finds.diagnostics.extend(event.diagnostics.iter().cloned());
            if event.diagnostics.has_errors() {
                break;
            }
            // Messages about the search as a whole come without an object.
            if event.identity.is_null() && !event.diagnostics.is_empty() {
                continue;
            }
            if finds.objects.len() == limit {
                let message = format!("there are more objects than the {limit} that were asked for");
                finds.violations.push(Violation::new(Rule::Protocol, Path::root(), message));
                break;
            }
            match self.find(event, include_object, &mut finds.violations) {
                Some(found) if finds.violations.is_empty() => finds.objects.push(found),
                _ => break,
            }
        }
        Ok(finds)
    }

    fn find(
        &self,
        event: ListResourceEvent,
        include_object: bool,
        violations: &mut Vec<Violation>,
    ) -> Option<ListedObject> {
        if event.identity.is_null() {
            let message = format!("the object {:?} has no identity", event.display_name);
            violations.push(Violation::new(Rule::Protocol, Path::root(), message));
            return None;
        }
        let identity = decoded(&event.identity, &self.identity.implied_type(), Rule::Identity, violations)?;
        violations.extend(rules::identity_result(self.identity, &identity, false));
        let object = event.resource_object.filter(|_| include_object).map(|object| {
            let object = self.resource.object(&object, violations);
            violations.extend(rules::read_result(self.resource.block(), &object));
            object
        });
        Some(ListedObject { identity, display_name: event.display_name, object })
    }
}
