//! What integrations were asked about in a preview, so that it is not asked again when Pulumi does it: a new object is planned
//! once more when it is made. An update may have had no preview at all, or make what its preview did not.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::run::RunFolder;

/// The previews of one provider, in this process and before it.
#[derive(Default)]
pub(super) struct Previews(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The URNs that a preview was about that had ended when the provider was configured; none if there was no such preview.
    before: Option<BTreeSet<String>>,
    /// Those that were planned in the walk that is under way.
    now: BTreeSet<String>,
}

impl Previews {
    /// A walk begins: looks for what those before it have left.
    pub(super) fn begin(&self, run: &RunFolder, provider: &str) {
        *self.known() = Known { before: run.previewed(provider), now: BTreeSet::new() };
    }

    /// An object is planned, and integrations are asked about it.
    pub(super) fn add(&self, urn: &str) {
        self.known().now.insert(urn.to_owned());
    }

    /// The walk was a plan or a preview, and is over.
    pub(super) fn end(&self, run: &RunFolder, provider: &str) {
        run.set_previewed(provider, &std::mem::take(&mut self.known().now));
    }

    /// Whether a plan or a preview was over when the walk began. Later there may be one only by name: where changes begin without
    /// a preview, what the provider did until then counts as a plan.
    pub(super) fn has_ended(&self) -> bool {
        self.known().before.is_some()
    }

    /// Whether an object was planned in the preview.
    pub(super) fn has(&self, urn: Option<&str>) -> bool {
        self.known().before.as_ref().zip(urn).is_some_and(|(before, urn)| before.contains(urn))
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
