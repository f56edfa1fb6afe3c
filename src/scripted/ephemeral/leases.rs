//! What is remembered of ephemeral resources that are open.
//!
//! Terraform closes with the private data of the opening, whatever renewals have made of them since, and shows no message
//! of a renewal. So both are kept here, under a key that the private data carry, for as long as the provider runs.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use denobridge_core::Diagnostics;
use serde_json::Value as Json;

/// The open ephemeral resources of a configured provider.
#[derive(Default)]
pub(crate) struct Leases(Mutex<HashMap<String, Lease>>);

/// One that was renewed.
#[derive(Default)]
struct Lease {
    /// The script's private data, if a renewal has replaced them.
    data: Option<Json>,
    /// What the last renewal had to say, if it failed.
    failure: Diagnostics,
}

impl Leases {
    fn leases(&self) -> MutexGuard<'_, HashMap<String, Lease>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The script's private data, if they are newer than those of the opening.
    pub(super) fn newest(&self, key: &str) -> Option<Json> {
        self.leases().get(key)?.data.clone()
    }

    /// A renewal went well; with data, they replace the older ones.
    pub(super) fn renewed(&self, key: &str, data: Option<Json>) {
        let mut leases = self.leases();
        let lease = leases.entry(key.to_owned()).or_default();
        lease.failure = Diagnostics::new();
        if data.is_some() {
            lease.data = data;
        }
    }

    /// A renewal failed.
    pub(super) fn failed(&self, key: &str, failure: Diagnostics) {
        self.leases().entry(key.to_owned()).or_default().failure = failure;
    }

    /// Forgets one that is to be closed; returns what is left to say of its renewals.
    pub(super) fn close(&self, key: &str) -> Diagnostics {
        self.leases().remove(key).map(|lease| lease.failure).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use denobridge_core::Diagnostic;
    use serde_json::json;

    use super::*;

    #[test]
    fn the_newest_data_and_the_last_failure_are_kept_until_the_end() {
        let leases = Leases::default();
        assert_eq!(leases.newest("a"), None);
        leases.renewed("a", Some(json!(1)));
        leases.failed("a", Diagnostic::error("s", "d").into());
        leases.renewed("a", None);
        assert_eq!(leases.newest("a"), Some(json!(1)));
        leases.failed("a", Diagnostic::error("s", "d").into());
        assert_eq!(leases.close("a").len(), 1);
        assert_eq!(leases.newest("a"), None);
        assert!(leases.close("a").is_empty());
    }
}
