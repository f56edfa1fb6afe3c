//! What the steps of a host come to, and what tests expect of them.

use std::fmt::{Display, Formatter, Write as _};

use denobridge_core::diagnostics::{Diagnostic, Diagnostics, Severity};
use denobridge_core::planning::rules::{Rule, Violation};

use super::Exchange;

/// What a step came to.
#[derive(Clone, Debug)]
#[must_use]
pub struct Step<T> {
    /// The result; of a step that failed, what is left of it.
    pub value: T,
    /// What was said on the way.
    pub report: Report,
}

/// What a step has to say. Its [`Display`] form is for people: what was said, which rules were broken and where, and what
/// was asked and answered, with nothing that is sensitive.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The provider's diagnostics and, as errors, the broken rules, in the order they arose.
    pub diagnostics: Diagnostics,
    /// The broken rules.
    pub violations: Vec<Violation>,
    /// The requests that were made, in order.
    pub exchanges: Vec<Exchange>,
}

impl Report {
    /// Whether the step failed.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.diagnostics.has_errors()
    }

    /// Adds what another step said.
    pub fn extend(&mut self, other: Report) {
        self.diagnostics.extend(other.diagnostics);
        self.violations.extend(other.violations);
        self.exchanges.extend(other.exchanges);
    }

    pub(super) fn broken(&mut self, subject: &str, violations: Vec<Violation>) {
        self.diagnostics.extend(violations.iter().map(|violation| violation.to_diagnostic(subject)));
        self.violations.extend(violations);
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        if self.diagnostics.is_empty() {
            writeln!(f, "nothing was said")?;
        }
        self.diagnostics.iter().try_for_each(|diagnostic| write_diagnostic(f, diagnostic))?;
        for exchange in &self.exchanges {
            write_exchange(f, exchange)?;
        }
        Ok(())
    }
}

fn write_diagnostic(f: &mut Formatter<'_>, diagnostic: &Diagnostic) -> std::fmt::Result {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    write!(f, "{severity}: {}", diagnostic.summary)?;
    if !diagnostic.attribute.is_root() {
        write!(f, " (at {})", diagnostic.attribute)?;
    }
    f.write_char('\n')?;
    diagnostic.detail.lines().filter(|line| !line.is_empty()).try_for_each(|line| writeln!(f, "  {line}"))
}

fn write_exchange(f: &mut Formatter<'_>, exchange: &Exchange) -> std::fmt::Result {
    writeln!(f, "{} {}", exchange.procedure, exchange.type_name)?;
    for (arrow, values) in [("->", &exchange.sent), ("<-", &exchange.received)] {
        for (name, value) in values {
            match value.is_null() {
                true => writeln!(f, "  {arrow} {name}: nothing")?,
                false => writeln!(f, "  {arrow} {name}: {value:?}")?,
            }
        }
    }
    if let Some(failure) = &exchange.failure {
        writeln!(f, "  no answer: {failure}")?;
    }
    exchange.violations.iter().try_for_each(|broken| writeln!(f, "  breaks {}: {broken}", broken.rule.code()))
}

/// What a test expects of a step. These are assertions: they panic with the whole report where the step went otherwise.
#[allow(clippy::panic)] // An assertion of a test has no other way to fail.
impl<T> Step<T> {
    /// The value of a step that went well. Warnings are fine.
    ///
    /// # Panics
    /// The step failed, or an answer broke a rule.
    #[track_caller]
    pub fn expect_ok(self) -> T {
        if self.report.failed() {
            panic!("the step was to go well\n{}", self.report);
        }
        self.value
    }

    /// A step that failed with an error which has `text` in its summary or its detail. The value is what is left.
    ///
    /// # Panics
    /// The step went well, or none of its errors has that text.
    #[track_caller]
    pub fn expect_error(self, text: &str) -> T {
        let has_text = |error: &Diagnostic| error.summary.contains(text) || error.detail.contains(text);
        if !self.report.diagnostics.errors().any(has_text) {
            panic!("the step was to fail with an error that says {text:?}\n{}", self.report);
        }
        self.value
    }

    /// A step in which an answer broke that rule and no other. The value is what is left.
    ///
    /// # Panics
    /// The rule was kept, or another one broken.
    #[track_caller]
    pub fn expect_violation(self, rule: Rule) -> T {
        let broken = &self.report.violations;
        if broken.is_empty() || broken.iter().any(|violation| violation.rule != rule) {
            panic!("the step was to break {} ({rule:?}) and nothing else\n{}", rule.code(), self.report);
        }
        self.value
    }
}

/// What a test expects of a step that finds or leaves something, or not.
#[allow(clippy::panic)] // As above.
impl<T> Step<Option<T>> {
    /// What a step that went well found or left.
    ///
    /// # Panics
    /// The step failed, an answer broke a rule, or there is nothing.
    #[track_caller]
    pub fn expect_some(self) -> T {
        let report = self.report.to_string();
        match self.expect_ok() {
            Some(value) => value,
            None => panic!("the step was to end with something there\n{report}"),
        }
    }

    /// A step that went well and found or left nothing.
    ///
    /// # Panics
    /// The step failed, an answer broke a rule, or there is something.
    #[track_caller]
    pub fn expect_none(self) {
        let report = self.report.to_string();
        if self.expect_ok().is_some() {
            panic!("the step was to end with nothing there\n{report}");
        }
    }
}
