//! What is shown while a script runs: the traffic with it, its own words, diagnostics, plans.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use denobridge_core::call::{LogLevel, LogSink};
use denobridge_core::cty::Value;
use denobridge_core::diagnostics::{Diagnostic, Diagnostics, Severity};
use denobridge_core::planning::Action;
use denobridge_framework::host::{Exchange, Observer, Plan, ResourceHost};

use serde_json::Value as Json;

use super::style::Style;
use super::{diff, show};
use crate::scripted::traffic;

/// Writes to standard output, or for tests to anything else. Everything goes to one place, so that it is in order.
pub(super) struct Printer {
    out: Mutex<Box<dyn Write + Send>>,
    style: Style,
    verbose: bool,
    /// Where the traffic goes beside that.
    record: Option<Mutex<Box<dyn Write + Send>>>,
}

impl Printer {
    pub(super) fn new(out: Box<dyn Write + Send>, style: Style, verbose: bool) -> Self {
        Self { out: Mutex::new(out), style, verbose, record: None }
    }

    /// Writes the traffic to `record` too, in the form that Terraform's log has with `TF_LOG=JSON`.
    pub(super) fn recording_to(self, record: Box<dyn Write + Send>) -> Self {
        Self { record: Some(Mutex::new(record)), ..self }
    }

    fn record(&self, message: &str, fields: &[(&str, &str)]) {
        let Some(record) = &self.record else { return };
        let own = [("@module", traffic::MODULE), ("@message", message)];
        let line: serde_json::Map<String, Json> =
            own.iter().chain(fields).map(|(name, value)| ((*name).to_owned(), Json::from(*value))).collect();
        // As with what is shown: no reason to leave a script's object half made.
        let _ = writeln!(record.lock().unwrap_or_else(PoisonError::into_inner), "{}", Json::Object(line));
    }

    fn line(&self, text: &str) {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // A closed pipe (`| head`) is no reason to leave a script's object half made.
        let _ = writeln!(out, "{text}");
        let _ = out.flush();
    }

    /// The first line of a text after `prefix`, the others below it.
    fn block(&self, prefix: &str, text: &str, paint: impl Fn(&str) -> String) {
        for (index, line) in text.lines().enumerate() {
            self.line(&paint(&format!("{}{line}", if index == 0 { prefix } else { "    " })));
        }
    }

    /// Begins a step.
    pub(super) fn heading(&self, title: &str) {
        self.line("");
        self.line(&self.style.bold(&format!("── {title}")));
    }

    pub(super) fn text(&self, text: &str) {
        self.line(text);
    }

    pub(super) fn note(&self, text: &str) {
        self.line(&format!("  {text}"));
    }

    pub(super) fn good(&self, text: &str) {
        self.line(&self.style.green(&format!("✓ {text}")));
    }

    pub(super) fn bad(&self, text: &str) {
        self.line(&self.style.red(&format!("✗ {text}")));
    }

    pub(super) fn blank(&self) {
        self.line("");
    }

    /// What would be done, as one line that other programs may look for, and part by part.
    pub(super) fn plan(&self, resource: &ResourceHost<'_>, plan: &Plan) {
        self.line(&format!("plan: {}", plan.action));
        let null = Value::null(resource.schema().implied_type());
        let before = plan.before.as_ref().map_or(null, |before| resource.marked(&before.value));
        if plan.action == Action::Replace && plan.requires_replace.is_empty() {
            self.note("the object was not created to the end, so it is replaced");
        }
        self.changes(&before, &resource.marked(&plan.after), &plan.requires_replace);
    }

    /// The parts in which two values with marks differ.
    pub(super) fn changes(&self, before: &Value, after: &Value, replacing: &[denobridge_core::cty::Path]) {
        for part in diff::parts(before, after) {
            let forces = replacing.iter().any(|path| part.path.steps().starts_with(path.steps()));
            let comment = if forces { "  # forces replacement" } else { "" };
            let text = format!("  {} {} = {}{comment}", part.sign, part.path, part.text());
            self.line(&match part.sign {
                '+' => self.style.green(&text),
                '-' => self.style.red(&text),
                _ => self.style.yellow(&text),
            });
        }
    }

    /// What a plan left open and is known now.
    pub(super) fn learned(&self, planned: &Value, actual: &Value) {
        for part in diff::parts(planned, actual).iter().filter(|part| part.sign != '-') {
            self.line(&format!("    {} = {}", part.path, part.after));
        }
    }

    pub(super) fn diagnostics(&self, diagnostics: &Diagnostics) {
        for diagnostic in diagnostics {
            self.diagnostic(diagnostic);
        }
    }

    pub(super) fn diagnostic(&self, diagnostic: &Diagnostic) {
        let (label, paint): (_, fn(Style, &str) -> String) = match diagnostic.severity {
            Severity::Error => ("error", Style::red),
            Severity::Warning => ("warning", Style::yellow),
        };
        let place =
            if diagnostic.attribute.is_root() { String::new() } else { format!(" (at {})", diagnostic.attribute) };
        self.line(&format!("{} {}{place}", paint(self.style, &format!("{label}:")), diagnostic.summary));
        for line in diagnostic.detail.lines() {
            self.line(&if line.is_empty() { String::new() } else { format!("  {line}") });
        }
    }

    fn traffic(&self, message: traffic::Line<'_>) {
        match message {
            traffic::Line::Call { method, params } => {
                self.block(&format!("  → {method} "), &show::json(params), |line| self.style.cyan(line));
            }
            traffic::Line::Progress { told, .. } => {
                self.line(&self.style.dim(&format!("  … {}", told.trim_end())));
            }
            traffic::Line::Answer { result, milliseconds, .. } => {
                self.block("  ← ", &format!("{} {}", show::json(result), took(milliseconds)), |line| {
                    self.style.cyan(line)
                });
            }
            traffic::Line::Absent { method } => {
                self.line(&self.style.dim(&format!("  · the script has no {method}, which is optional")));
            }
            traffic::Line::Failure { method, error, milliseconds } => {
                let first = error.lines().next().unwrap_or_default();
                self.line(&self.style.red(&format!("  ✗ {method}: {first} {}", took(milliseconds))));
            }
        }
    }
}

fn took(milliseconds: &str) -> String {
    format!("({milliseconds} ms)")
}

impl LogSink for Printer {
    fn enabled(&self, _: LogLevel) -> bool {
        true
    }

    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]) {
        if module == traffic::MODULE {
            self.record(message, fields);
            if let Some(line) = traffic::Line::read(message, fields) {
                self.traffic(line);
            }
            return;
        }
        if level == LogLevel::Trace && !self.verbose {
            return;
        }
        let text = format!("  │ {message}");
        self.line(&if level >= LogLevel::Warn { self.style.yellow(&text) } else { self.style.dim(&text) });
    }
}

impl Observer for Printer {
    fn asking(&self, exchange: &Exchange) {
        if !self.verbose {
            return;
        }
        self.line(&self.style.dim(&format!("  » {}", exchange.procedure)));
        for (name, value) in &exchange.sent {
            self.line(&self.style.dim(&format!("      {name}: {}", show::value(value))));
        }
    }

    fn answered(&self, exchange: &Exchange) {
        if !self.verbose {
            return;
        }
        self.line(&self.style.dim(&format!(
            "  « {} {}",
            exchange.procedure,
            took(&exchange.duration.as_millis().to_string())
        )));
        for (name, value) in &exchange.received {
            self.line(&self.style.dim(&format!("      {name}: {}", show::value(value))));
        }
    }
}
