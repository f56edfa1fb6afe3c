//! What a run comes to: the steps that went wrong, and how often something was warned of.

use denobridge_core::diagnostics::{Diagnostic, Severity};
use denobridge_framework::host::{Report, Step};

use super::printer::Printer;

/// Collects what steps have to say, and shows it.
pub(super) struct Findings<'p> {
    pub(super) printer: &'p Printer,
    /// The steps that went wrong, in words.
    failures: Vec<String>,
    warnings: usize,
}

impl<'p> Findings<'p> {
    pub(super) fn new(printer: &'p Printer) -> Self {
        Self { printer, failures: Vec::new(), warnings: 0 }
    }

    pub(super) fn failed(&self) -> bool {
        !self.failures.is_empty()
    }

    /// A step went wrong for a reason of its own.
    pub(super) fn fail(&mut self, step: &str, reason: &str) {
        self.printer.bad(reason);
        self.failures.push(step.to_owned());
    }

    /// Something is not wrong, and not as it should be.
    pub(super) fn warn(&mut self, summary: &str, detail: &str) {
        self.printer.diagnostic(&Diagnostic::warning(summary, detail));
        self.warnings += 1;
    }

    /// Shows what a step has to say; false if it failed.
    pub(super) fn heard(&mut self, step: &str, report: &Report) -> bool {
        self.printer.diagnostics(&report.diagnostics);
        self.warnings += report.diagnostics.iter().filter(|message| message.severity == Severity::Warning).count();
        if report.failed() {
            self.failures.push(step.to_owned());
        }
        !report.failed()
    }

    /// The value of a step, if it went well.
    pub(super) fn value<T>(&mut self, step: &str, outcome: Step<T>) -> Option<T> {
        self.heard(step, &outcome.report).then_some(outcome.value)
    }

    /// Shows what all came to; whether it was good.
    pub(super) fn verdict(self, good: &str) -> bool {
        self.printer.blank();
        let warnings = match self.warnings {
            0 => String::new(),
            1 => " (1 warning)".to_owned(),
            count => format!(" ({count} warnings)"),
        };
        if self.failures.is_empty() {
            self.printer.good(&format!("{good}{warnings}"));
            return true;
        }
        self.printer.bad(&format!("failed: {}{warnings}", self.failures.join(", ")));
        false
    }
}
