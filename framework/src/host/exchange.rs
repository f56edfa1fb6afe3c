//! One request and its answer: timed, observed, decoded.

use std::future::Future;
use std::time::Instant;

use denobridge_core::call::CallError;
use denobridge_core::cty::Value;
use denobridge_core::diagnostics::{Diagnostic, Diagnostics};
use denobridge_core::dynamic_value::DynamicValue;
use denobridge_core::planning::rules::{self, Rule, Violation};

use super::component::decoded;
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
                report.exchanges.push(exchange);
                None
            }
        }
    }

    /// Ends an exchange with the provider itself.
    pub(super) fn answered(
        &self,
        exchange: Exchange,
        diagnostics: Diagnostics,
        violations: Vec<Violation>,
        report: &mut Report,
    ) {
        self.heard("provider", exchange, diagnostics, violations, report);
    }

    /// Ends an exchange: shows it and adds what it said about `subject` to the report.
    pub(super) fn heard(
        &self,
        subject: &str,
        exchange: Exchange,
        diagnostics: Diagnostics,
        violations: Vec<Violation>,
        report: &mut Report,
    ) {
        report.diagnostics.extend(diagnostics.iter().cloned());
        report.broken(subject, violations.clone());
        let exchange = Exchange { diagnostics, violations, ..exchange };
        self.options.observer.answered(&exchange);
        report.exchanges.push(exchange);
    }
}

impl ResourceHost<'_> {
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
