//! What the hosts of all kinds of components have in common: a name, a schema, and requests about them.

use std::future::Future;
use std::sync::Arc;

use denobridge_core::call::{Call, CallError};
use denobridge_core::cty::{Type, Value};
use denobridge_core::diagnostics::{Diagnostic, Diagnostics};
use denobridge_core::dynamic_value::DynamicValue;
use denobridge_core::planning::rules::{self, Rule, Violation};
use denobridge_core::planning::{conform_config, mark_sensitive, unknown_paths};
use denobridge_core::schema::{Block, Schema};

use super::{Exchange, Host, Report, Step, config_diagnostic};

/// One component, in the user's words as well as in the schema's.
pub(super) struct Component<'h> {
    pub(super) host: &'h Host,
    pub(super) schema: &'h Schema,
    pub(super) type_name: Arc<str>,
    pub(super) call: Call,
    pub(super) subject: String,
}

/// The methods that the host of every kind of component has.
macro_rules! component_methods {
    () => {
        /// The component's schema.
        #[must_use]
        pub fn schema(&self) -> &denobridge_core::schema::Schema {
            self.component.schema
        }

        /// What messages call the component.
        #[must_use]
        pub fn subject(&self) -> &str {
            &self.component.subject
        }

        /// Makes a configuration from an object as loosely typed as a user writes it.
        ///
        /// # Errors
        /// Everything that is wrong with it.
        pub fn config(
            &self,
            written: &denobridge_core::cty::Value,
        ) -> Result<denobridge_core::cty::Value, denobridge_core::Diagnostics> {
            self.component.config(written)
        }

        /// A value of the component with its sensitive parts marked, fit to be shown.
        #[must_use]
        pub fn marked(&self, value: &denobridge_core::cty::Value) -> denobridge_core::cty::Value {
            self.component.marked(value)
        }
    };
}
pub(super) use component_methods;

impl<'h> Component<'h> {
    /// The component of that name among those of its kind; `kind` is what people call the kind.
    pub(super) fn find(
        host: &'h Host,
        kind: &str,
        among: &'h std::collections::BTreeMap<Arc<str>, Schema>,
        type_name: &str,
        subject: String,
    ) -> Result<Self, Diagnostic> {
        let Some((type_name, schema)) = among.get_key_value(type_name) else {
            return Err(unknown_component(kind, type_name));
        };
        let call = host.options.call.clone().with_subject(subject.as_str());
        Ok(Self { host, schema, type_name: Arc::clone(type_name), call, subject })
    }

    pub(super) fn block(&self) -> &'h Block {
        &self.schema.block
    }

    pub(super) fn ty(&self) -> Type {
        self.schema.implied_type()
    }

    pub(super) fn config(&self, written: &Value) -> Result<Value, Diagnostics> {
        conform_config(self.block(), written)
            .map_err(|problems| problems.into_iter().map(|problem| config_diagnostic(&self.subject, problem)).collect())
    }

    pub(super) fn marked(&self, value: &Value) -> Value {
        mark_sensitive(self.block(), value)
    }

    pub(super) fn exchange(&self, procedure: &'static str) -> Exchange {
        Exchange::new(procedure, Arc::clone(&self.type_name))
    }

    /// Waits for an answer; see [`Host::ask`].
    pub(super) async fn ask<T>(
        &self,
        exchange: Exchange,
        answer: impl Future<Output = Result<T, CallError>>,
        report: &mut Report,
    ) -> Option<(Exchange, T)> {
        self.host.ask(exchange, answer, report).await
    }

    /// Ends an exchange about this component.
    pub(super) fn answered(
        &self,
        exchange: Exchange,
        diagnostics: Diagnostics,
        violations: Vec<Violation>,
        report: &mut Report,
    ) {
        self.host.heard(&self.subject, exchange, diagnostics, violations, report);
    }

    /// A question that is answered by diagnostics alone.
    pub(super) async fn told(
        &self,
        exchange: Exchange,
        answer: impl Future<Output = Result<Diagnostics, CallError>>,
        report: &mut Report,
    ) {
        if let Some((exchange, diagnostics)) = self.ask(exchange, answer, report).await {
            self.answered(exchange, diagnostics, Vec::new(), report);
        }
    }

    /// A validation of `config`, whose outcome must be that of the last time (R18).
    pub(super) async fn validated(
        &self,
        procedure: &'static str,
        config: &Value,
        answer: impl Future<Output = Result<Diagnostics, CallError>>,
    ) -> Step<()> {
        let mut report = Report::default();
        let exchange = self.exchange(procedure).sent("config", self.marked(config));
        if let Some((exchange, diagnostics)) = self.ask(exchange, answer, &mut report).await {
            let violations = self.host.memory.validated(procedure, &self.type_name, config, &diagnostics);
            self.answered(exchange, diagnostics, violations, &mut report);
        }
        Step { value: (), report }
    }

    /// What is said where something can only be done once everything is known.
    pub(super) fn not_known_yet(&self, config: &Value) -> Option<Diagnostic> {
        let paths = unknown_paths(config);
        let first = paths.first()?;
        Some(Diagnostic::error(
            "Configuration contains unknown value",
            format!("The configuration of {} still has a value that is not known: {first}.", self.subject),
        ))
    }

    /// An object of this component out of an answer. One that is not of the schema's type is null, and a violation of R1.
    pub(super) fn object(&self, encoded: &DynamicValue, violations: &mut Vec<Violation>) -> Value {
        let ty = self.ty();
        match decoded(encoded, &ty, Rule::Conformance, violations) {
            Some(value) if value.is_null() => Value::null(ty),
            Some(value) => {
                let mismatches = rules::object_conforms(self.block(), &value);
                let conforms = mismatches.is_empty();
                violations.extend(mismatches);
                if conforms { value } else { Value::null(ty) }
            }
            None => Value::null(ty),
        }
    }
}

pub(super) fn unknown_component(kind: &str, name: &str) -> Diagnostic {
    Diagnostic::error(format!("Unknown {kind}"), format!("The provider has no {kind} {name:?}."))
}

/// A value of that type out of an answer; none, and a violation, if it is not one. Marks are dropped: they do not cross
/// the wire, and the schema says what is sensitive.
pub(super) fn decoded(encoded: &DynamicValue, ty: &Type, rule: Rule, violations: &mut Vec<Violation>) -> Option<Value> {
    match encoded.decode(ty) {
        Ok(value) => Some(value.without_marks_deep()),
        Err(error) => {
            violations.push(Violation::new(rule, error.path, error.message));
            None
        }
    }
}
