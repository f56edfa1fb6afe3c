//! What goes with every request across the seam: cancellation, deadline, where to log, and whom the call is about.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use thiserror::Error;
use tokio_util::sync::CancellationToken;

/// Severity of a log line. Terraform's and Pulumi's levels map onto these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LogLevel {
    /// Every detail.
    Trace,
    /// For who looks for a fault.
    Debug,
    /// For who wants to know what went on.
    Info,
    /// Something is off.
    Warn,
    /// Something failed.
    Error,
}

impl LogLevel {
    /// The least severe level that the value of one of Terraform's variables for logs asks for; nothing for `OFF`. Unknown
    /// words mean everything, as they do to Terraform, and so does `JSON`, which chooses a format.
    #[must_use]
    pub fn asked_for_by(value: &str) -> Option<Self> {
        match value.to_ascii_uppercase().as_str() {
            "OFF" => None,
            "ERROR" => Some(Self::Error),
            "WARN" => Some(Self::Warn),
            "INFO" => Some(Self::Info),
            "DEBUG" => Some(Self::Debug),
            _ => Some(Self::Trace),
        }
    }
}

/// Where log lines go. Each door has its own. Implementations must not block for long: they are called from handlers.
pub trait LogSink: Send + Sync {
    /// Whether a line of this level would be kept, so that callers need not build it.
    fn enabled(&self, level: LogLevel) -> bool;
    /// One line. `module` names who speaks (`script`, `pool`, …); `fields` are further facts by name. The caller
    /// guarantees that no secret is in it.
    fn log(&self, level: LogLevel, module: &str, message: &str, fields: &[(&str, &str)]);
}

/// Where progress of a long operation goes: a short text for whoever watches.
pub trait ProgressSink: Send + Sync {
    /// Shows `message` until the next one.
    fn progress(&self, message: &str);
}

/// An extension of a [`Call`] for layers that tell hosts apart: what of its own the asker is doing. Terraform's calls have none,
/// since its procedures are those of the seam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PulumiStep {
    /// The procedure of Pulumi's protocol, in lower case: `check`, `diff`, `create`, `update`, `delete`, `read`, `call`, …
    pub verb: &'static str,
}

struct Silent;

impl LogSink for Silent {
    fn enabled(&self, _: LogLevel) -> bool {
        false
    }

    fn log(&self, _: LogLevel, _: &str, _: &str, _: &[(&str, &str)]) {}
}

impl ProgressSink for Silent {
    fn progress(&self, _: &str) {}
}

/// The circumstances of one call. Cheap to clone and to adapt.
#[derive(Clone)]
pub struct Call {
    cancellation: CancellationToken,
    deadline: Option<Instant>,
    log: Arc<dyn LogSink>,
    progress: Arc<dyn ProgressSink>,
    subject: Option<Arc<str>>,
    preview: bool,
    extensions: Option<Arc<HashMap<TypeId, Arc<dyn Any + Send + Sync>>>>,
}

impl Default for Call {
    fn default() -> Self {
        Self::new()
    }
}

impl Call {
    /// A call that nobody watches, without deadline.
    #[must_use]
    pub fn new() -> Self {
        let silent = Arc::new(Silent);
        Self {
            cancellation: CancellationToken::new(),
            deadline: None,
            log: Arc::clone(&silent) as Arc<dyn LogSink>,
            progress: silent,
            subject: None,
            preview: false,
            extensions: None,
        }
    }

    /// Cancelled when the asker does not want the answer any more.
    #[must_use]
    pub fn cancellation(&self) -> &CancellationToken {
        &self.cancellation
    }

    /// The moment by which the asker wants to be answered.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The Terraform address or Pulumi URN of the resource, where the asker knows it.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.subject.as_deref()
    }

    /// Whether this is a preview: nothing may change anywhere.
    #[must_use]
    pub fn preview(&self) -> bool {
        self.preview
    }

    /// Where log lines go.
    #[must_use]
    pub fn log_sink(&self) -> &Arc<dyn LogSink> {
        &self.log
    }

    /// Writes one log line. No secret may be in it.
    pub fn log(&self, level: LogLevel, module: &str, message: &str) {
        if self.log.enabled(level) {
            self.log.log(level, module, message, &[]);
        }
    }

    /// Where progress goes.
    #[must_use]
    pub fn progress_sink(&self) -> &Arc<dyn ProgressSink> {
        &self.progress
    }

    /// A layer's own data. Layers may read it, workers may not.
    #[must_use]
    pub fn extension<T: Any + Send + Sync>(&self) -> Option<Arc<T>> {
        let value = self.extensions.as_ref()?.get(&TypeId::of::<T>())?;
        Arc::clone(value).downcast().ok()
    }

    /// The same call with this cancellation.
    #[must_use]
    pub fn with_cancellation(mut self, cancellation: CancellationToken) -> Self {
        self.cancellation = cancellation;
        self
    }

    /// The same call with this deadline.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Option<Instant>) -> Self {
        self.deadline = deadline;
        self
    }

    /// The same call with this log.
    #[must_use]
    pub fn with_log(mut self, log: Arc<dyn LogSink>) -> Self {
        self.log = log;
        self
    }

    /// The same call with this progress.
    #[must_use]
    pub fn with_progress(mut self, progress: Arc<dyn ProgressSink>) -> Self {
        self.progress = progress;
        self
    }

    /// The same call about this resource.
    #[must_use]
    pub fn with_subject(mut self, subject: impl Into<Arc<str>>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// The same call as a preview or not.
    #[must_use]
    pub fn with_preview(mut self, preview: bool) -> Self {
        self.preview = preview;
        self
    }

    /// The same call with a layer's own data; one value per type.
    #[must_use]
    pub fn with_extension<T: Any + Send + Sync>(mut self, value: Arc<T>) -> Self {
        let mut extensions = self.extensions.as_deref().cloned().unwrap_or_default();
        extensions.insert(TypeId::of::<T>(), value);
        self.extensions = Some(Arc::new(extensions));
        self
    }
}

impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call")
            .field("subject", &self.subject)
            .field("preview", &self.preview)
            .field("deadline", &self.deadline)
            .field("cancelled", &self.cancellation.is_cancelled())
            .finish_non_exhaustive()
    }
}

/// A request that got no answer. What a provider has to say about a request that it did answer is a diagnostic, never
/// one of these.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CallError {
    /// The provider does not know this procedure.
    #[error("the provider does not implement {procedure}")]
    Unimplemented {
        /// The protocol's name of the procedure.
        procedure: &'static str,
    },
    /// The asker cancelled the call.
    #[error("the call was cancelled")]
    Cancelled,
    /// The deadline passed.
    #[error("no answer from {whom} within {limit}")]
    DeadlineExceeded {
        /// Who did not answer.
        whom: String,
        /// The limit and the setting that changes it.
        limit: String,
    },
    /// The provider is gone (crashed, could not be started, connection lost).
    #[error("{message}")]
    Unavailable {
        /// What happened, with what the provider last said.
        message: String,
    },
    /// The provider broke the protocol, or we did.
    #[error("{message}")]
    Internal {
        /// What was wrong.
        message: String,
    },
}
