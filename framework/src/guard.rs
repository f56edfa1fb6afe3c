//! Nothing that a component does ends the process: panics become diagnostics.

use std::any::Any;
use std::future::Future;
use std::panic::AssertUnwindSafe;

use denobridge_core::Diagnostic;
use futures::FutureExt;

/// Which handler runs, for messages: "the creation of example_thing".
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation<'n> {
    /// What it does, as a noun: `creation`.
    pub name: &'static str,
    /// Terraform's name of the component.
    pub component: &'n str,
}

impl Operation<'_> {
    /// An error of the framework's own about a rule that the operation's result breaks.
    pub fn broken(&self, violation: denobridge_core::planning::rules::Violation) -> Diagnostic {
        let path = violation.path.clone();
        self.error(format_args!("Its result breaks a rule: {violation}.")).at(path)
    }

    /// What a failure of it is called when nobody found better words.
    pub fn failed(&self) -> String {
        format!("The {} of {} failed", self.name, self.component)
    }

    /// An error of the framework's own about this operation.
    pub fn error(&self, what: impl std::fmt::Display) -> Diagnostic {
        Diagnostic::error(
            self.failed(),
            format!(
                "{what}\n\nThis is a fault of the provider, not of the configuration. Please report it to its developers."
            ),
        )
    }
}

/// Runs a handler to its end; a panic in it is returned as the diagnostic to show.
pub(crate) async fn guarded<T>(operation: Operation<'_>, handler: impl Future<Output = T>) -> Result<T, Diagnostic> {
    // What a handler leaves half changed when it panics is either its own, behind locks that notice, or dropped here.
    AssertUnwindSafe(handler)
        .catch_unwind()
        .await
        .map_err(|panic| operation.error(format_args!("The provider panicked: {}", message_of(&*panic))))
}

pub(crate) fn message_of(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}
