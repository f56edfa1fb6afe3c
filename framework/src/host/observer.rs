//! Watching a host at work.

use std::sync::Arc;
use std::time::Duration;

use denobridge_core::call::CallError;
use denobridge_core::cty::Value;
use denobridge_core::diagnostics::Diagnostics;
use denobridge_core::planning::rules::Violation;

/// One request and its answer. Sensitive parts of the values are marked: whoever shows a value must not show those.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The protocol's name of the procedure.
    pub procedure: &'static str,
    /// The resource type; empty for the provider itself.
    pub type_name: Arc<str>,
    /// What was sent, by name.
    pub sent: Vec<(&'static str, Value)>,
    /// What came back, by name; empty until there is an answer.
    pub received: Vec<(&'static str, Value)>,
    /// What the provider said.
    pub diagnostics: Diagnostics,
    /// The rules that the answer breaks.
    pub violations: Vec<Violation>,
    /// Why there was no answer.
    pub failure: Option<CallError>,
    /// How long the answer took.
    pub duration: Duration,
}

impl Exchange {
    pub(super) fn new(procedure: &'static str, type_name: impl Into<Arc<str>>) -> Self {
        Self {
            procedure,
            type_name: type_name.into(),
            sent: Vec::new(),
            received: Vec::new(),
            diagnostics: Diagnostics::new(),
            violations: Vec::new(),
            failure: None,
            duration: Duration::ZERO,
        }
    }

    pub(super) fn sent(mut self, name: &'static str, value: Value) -> Self {
        self.sent.push((name, value));
        self
    }

    pub(super) fn received(mut self, name: &'static str, value: Value) -> Self {
        self.received.push((name, value));
        self
    }
}

/// Sees every exchange of a host. Called between requests, so it may take its time.
pub trait Observer: Send + Sync {
    /// A request is about to be made.
    fn asking(&self, exchange: &Exchange) {
        let _ = exchange;
    }

    /// The request has been answered, or will not be.
    fn answered(&self, exchange: &Exchange);
}

/// Looks at nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn answered(&self, _: &Exchange) {}
}
