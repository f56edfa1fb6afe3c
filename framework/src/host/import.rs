//! Finding an existing object by what the user calls it.

use std::sync::Arc;

use denobridge_core::cty::{Value, convert};
use denobridge_core::diagnostics::Diagnostic;
use denobridge_core::planning::rules;
use denobridge_core::provider::{ImportResourceStateRequest, ImportResourceStateResponse};

use super::{CAPABILITIES, Exchange, Report, ResourceHost, ResourceState, Step};

impl ResourceHost<'_> {
    /// Finds an existing object by the id that the user gives, and reads it (R13). None when anything went wrong.
    pub async fn import(&self, id: &str) -> Step<Option<ResourceState>> {
        let exchange = self.component.exchange("ImportResourceState").sent("id", Value::string(id));
        self.imported(exchange, self.request(id.to_owned(), None), &format!("the id {id:?}")).await
    }

    /// Finds an existing object by an identity that the user gives, an object as loosely typed as the user writes it, and
    /// reads it (R13). What is optional for an import may be left out. The object found must have that identity (R16).
    /// None when anything went wrong.
    pub async fn import_by_identity(&self, identity: &Value) -> Step<Option<ResourceState>> {
        let identity = match self.conformed_identity(identity) {
            Ok(identity) => identity,
            Err(diagnostic) => {
                let report = Report { diagnostics: diagnostic.into(), ..Report::default() };
                return Step { value: None, report };
            }
        };
        let exchange = self.component.exchange("ImportResourceState").sent("identity", identity.clone());
        let request = self.request(String::new(), Some(identity.clone()));
        let mut step = self.imported(exchange, request, &format!("the identity {identity:?}")).await;
        if let Some(found) = step.value.as_ref().and_then(|state| state.identity.as_ref()) {
            let same = |(name, given): (&Arc<str>, &Value)| given.is_null() || found.attribute(name) == Some(given);
            if !identity.as_entries().into_iter().flatten().all(same) {
                step.report.broken(self.subject(), rules::identity_kept(Some(&identity), Some(found)));
                step.value = None;
            }
        }
        step
    }

    fn request(&self, id: String, identity: Option<Value>) -> ImportResourceStateRequest {
        ImportResourceStateRequest {
            type_name: Arc::clone(&self.component.type_name),
            id,
            client_capabilities: CAPABILITIES,
            identity: identity.map(Into::into),
        }
    }

    /// The identity with all its attributes, of their types.
    fn conformed_identity(&self, written: &Value) -> Result<Value, Diagnostic> {
        let invalid = |reason: String| {
            Diagnostic::error("Invalid identity", format!("The identity of {}: {reason}.", self.subject()))
        };
        let Some(schema) = self.identity else {
            return Err(invalid("objects of this type have none".to_owned()));
        };
        let given = written.as_entries().ok_or_else(|| invalid("an object is required".to_owned()))?;
        if let Some(name) = given.keys().find(|name| schema.attributes.iter().all(|known| known.name != **name)) {
            return Err(invalid(format!("an attribute named {name:?} is not expected here")));
        }
        let attributes = schema.attributes.iter().map(|attribute| {
            let name = Arc::clone(&attribute.name);
            match given.get(&name).filter(|value| !value.is_null()) {
                Some(value) => match convert::convert(value, &attribute.ty) {
                    Ok(value) => Ok((name, value)),
                    Err(error) => Err(invalid(format!("{name}: {error}"))),
                },
                None if attribute.required_for_import => Err(invalid(format!("{name:?} is required for an import"))),
                None => Ok((name, Value::null(attribute.ty.clone()))),
            }
        });
        Ok(Value::object(attributes.collect::<Result<Vec<_>, _>>()?))
    }

    /// Asks for the object that the user calls `called`, and reads it.
    async fn imported(
        &self,
        exchange: Exchange,
        request: ImportResourceStateRequest,
        called: &str,
    ) -> Step<Option<ResourceState>> {
        let mut report = Report::default();
        let by_identity = request.identity.is_some();
        let answer = self.component.host.provider.import_resource_state(&self.component.call, request);
        let Some((exchange, response)) = self.component.ask(exchange, answer, &mut report).await else {
            return Step { value: None, report };
        };
        let imported = self.first_of(exchange, response, by_identity, &mut report);
        let Some(imported) = imported.filter(|_| !report.failed()) else { return Step { value: None, report } };
        let read = self.refresh(&imported).await;
        report.extend(read.report);
        if read.value.is_none() {
            report.diagnostics.push(Diagnostic::error(
                "Cannot import non-existent remote object",
                format!("While importing {}, the provider found nothing under {called}.", self.subject()),
            ));
        }
        let value = if report.failed() { None } else { read.value };
        Step { value, report }
    }

    /// The one object that an import found.
    fn first_of(
        &self,
        exchange: Exchange,
        response: ImportResourceStateResponse,
        by_identity: bool,
        report: &mut Report,
    ) -> Option<ResourceState> {
        let mut violations = Vec::new();
        let mut imported = None;
        if !response.diagnostics.has_errors() {
            violations.extend(rules::deferral(CAPABILITIES.deferral_allowed, response.deferred));
            let first = response.imported_resources.first();
            let state = first.map(|first| first.state.clone()).unwrap_or_default();
            let value = self.component.object(&state, &mut violations);
            let identity = first.and_then(|first| self.identity_of(first.identity.as_ref(), false, &mut violations));
            if violations.is_empty() {
                let (block, found) = (self.component.block(), &response.imported_resources);
                violations = rules::imported(block, found, &value, true, by_identity);
            }
            imported =
                first.map(|first| ResourceState { value, private: first.private.clone(), identity, tainted: false });
        }
        let exchange = match &imported {
            Some(state) => exchange.received("imported state", self.marked(&state.value)),
            None => exchange,
        };
        self.component.answered(exchange, response.diagnostics, violations, report);
        imported
    }
}
