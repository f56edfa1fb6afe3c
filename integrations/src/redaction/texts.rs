//! What a provider has to say, without secrets.

use denobridge_core::{Diagnostics, Severity};

use super::Known;
use super::paths::scrubbed_path;
use crate::protocol::{DiagnosticMessage, DiagnosticSeverity};

/// What a provider has to say, as integrations get it.
#[must_use]
pub fn diagnostics(diagnostics: &Diagnostics, known: &Known) -> Vec<DiagnosticMessage> {
    let message = |diagnostic: &denobridge_core::Diagnostic| DiagnosticMessage {
        severity: match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
        },
        summary: known.scrub(&diagnostic.summary).into_owned(),
        detail: known.scrub(&diagnostic.detail).into_owned(),
        attribute: scrubbed_path(&diagnostic.attribute, known),
    };
    diagnostics.iter().map(message).collect()
}
