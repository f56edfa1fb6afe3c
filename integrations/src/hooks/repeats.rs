//! Plans that a host asks for again: those are part of something that integrations have been asked about.

use std::sync::{Arc, Mutex, PoisonError};

use denobridge_core::DynamicValue;

/// What was planned, as far as repetitions are told by it.
#[derive(Default)]
pub(super) struct Repeats(Mutex<Vec<Expected>>);

struct Expected {
    type_name: Arc<str>,
    /// Pulumi's URN, which no other resource has.
    subject: Option<Arc<str>>,
    config: DynamicValue,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The second half of a replacement: the same configuration without a prior state.
    Creation,
    /// The same change once more, as Pulumi's preview of an update repeats its diff.
    Preview,
}

impl Repeats {
    /// Expects a plan of this configuration once more.
    pub(super) fn expect(&self, kind: Kind, type_name: &Arc<str>, subject: Option<&str>, config: &DynamicValue) {
        let (type_name, subject) = (Arc::clone(type_name), subject.map(Into::into));
        let expected = Expected { type_name, subject, config: config.clone(), kind };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(expected);
    }

    /// Whether this plan was expected; it is not any more then.
    pub(super) fn take(&self, kind: Kind, type_name: &str, subject: Option<&str>, config: &DynamicValue) -> bool {
        let mut expected = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = expected.iter().position(|expected| {
            expected.kind == kind
                && *expected.type_name == *type_name
                && expected.subject.as_deref() == subject
                && expected.config == *config
        });
        found.map(|index| expected.swap_remove(index)).is_some()
    }
}
