//! One request and its answer: timed, observed, decoded.

use std::future::Future;
use std::time::Instant;

use denobridge_core::call::CallError;
use denobridge_core::cty::{Type, Value};
use denobridge_core::diagnostics::{Diagnostic, Diagnostics};
use denobridge_core::dynamic_value::DynamicValue;
use denobridge_core::planning::rules;
use denobridge_core::planning::rules::{Rule, Violation};

use super::{Exchange, Host, Report, ResourceHost};

/// What is said when there was no answer at all.
pub(super) fn no_answer(procedure: &str, error: &CallError) -> Diagnostic {
    Diagnostic::error("The provider did not answer", format!("{procedure} got no answer: {error}."))
}

impl Host {
    /// Waits for an answer. Without one the exchange is over, and the report says why.
    pub(super) async fn ask<T>(
        &self,
        mut exchange: Exchange,
        answer: impl Future<Output = Result<T, CallError>>,
        report: &mut Report,
    ) -> Option<(Exchange, T)> {
        self.options.observer.asking(&exchange);
        let started = Instant::now();
        let answer = answer.await;
        exchange.duration = started.elapsed();
        match answer {
            Ok(response) => Some((exchange, response)),
            Err(error) => {
                report.diagnostics.push(no_answer(exchange.procedure, &error));
                exchange.failure = Some(error);
                self.options.observer.answered(&exchange);
                None
            }
        }
    }

    /// Ends an exchange: shows it and adds what it said to the report.
    pub(super) fn answered(
        &self,
        exchange: Exchange,
        diagnostics: Diagnostics,
        violations: Vec<Violation>,
        report: &mut Report,
    ) {
        let subject = if exchange.type_name.is_empty() { "provider" } else { &*exchange.type_name };
        report.diagnostics.extend(diagnostics.iter().cloned());
        report.broken(subject, violations.clone());
        self.options.observer.answered(&Exchange { diagnostics, violations, ..exchange });
    }
}

impl ResourceHost<'_> {
    pub(super) fn exchange(&self, procedure: &'static str) -> Exchange {
        Exchange::new(procedure, std::sync::Arc::clone(&self.type_name))
    }

    /// Ends an exchange about this resource.
    pub(super) fn answered(
        &self,
        exchange: Exchange,
        diagnostics: Diagnostics,
        violations: Vec<Violation>,
        report: &mut Report,
    ) {
        report.diagnostics.extend(diagnostics.iter().cloned());
        report.broken(&self.subject, violations.clone());
        self.host.options.observer.answered(&Exchange { diagnostics, violations, ..exchange });
    }

    /// An object of this resource out of an answer. One that is not of the schema's type is null, and a violation of R1.
    pub(super) fn object(&self, encoded: &DynamicValue, violations: &mut Vec<Violation>) -> Value {
        let ty = self.schema.implied_type();
        match decoded(encoded, &ty, Rule::Conformance, violations) {
            Some(value) if value.is_null() => Value::null(ty),
            Some(value) => {
                let mismatches = rules::object_conforms(&self.schema.block, &value);
                let conforms = mismatches.is_empty();
                violations.extend(mismatches);
                if conforms { value } else { Value::null(ty) }
            }
            None => Value::null(ty),
        }
    }

    /// An identity out of an answer (R16).
    pub(super) fn identity_of(
        &self,
        encoded: Option<&DynamicValue>,
        may_be_unknown: bool,
        violations: &mut Vec<Violation>,
    ) -> Option<Value> {
        let (schema, encoded) = (self.identity?, encoded?);
        let identity = decoded(encoded, &schema.implied_type(), Rule::Identity, violations)?;
        violations.extend(rules::identity_result(schema, &identity, may_be_unknown));
        (!identity.is_null()).then_some(identity)
    }
}

fn decoded(encoded: &DynamicValue, ty: &Type, rule: Rule, violations: &mut Vec<Violation>) -> Option<Value> {
    match encoded.decode(ty) {
        Ok(value) => Some(value.without_marks_deep()),
        Err(error) => {
            violations.push(Violation { rule, path: error.path, message: error.message });
            None
        }
    }
}
