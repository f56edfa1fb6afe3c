//! What integrations were asked about in a preview, so that it is not asked again when Pulumi does it: a new object is planned
//! once more when it is made. An update may have had no preview at all, make what its preview did not, or know what its preview
//! did not: what is then planned differs from what was.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::{Mutex, MutexGuard, PoisonError};

use denobridge_core::cty::Type;
use denobridge_core::provider::PlanResourceChangeRequest;

use crate::run::RunFolder;

/// The previews of one provider, in this process and before it.
#[derive(Default)]
pub(super) struct Previews(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// The plans of a preview that had ended when the provider was configured; none if there was no such preview.
    before: Option<BTreeSet<String>>,
    /// Those of the walk that is under way.
    now: BTreeSet<String>,
}

/// What tells a plan from others: the object, what there was of it and how it is configured, as a number. None where they
/// cannot be told.
pub(super) fn plan(urn: &str, ty: &Type, request: &PlanResourceChangeRequest) -> Option<String> {
    let mut hasher = DefaultHasher::new();
    (urn, &request.type_name).hash(&mut hasher);
    for value in [&request.prior_state, &request.config] {
        value.to_msgpack(ty).ok()?.hash(&mut hasher);
    }
    Some(format!("{:016x}", hasher.finish()))
}

impl Previews {
    /// A walk begins: looks for what those before it have left.
    pub(super) fn begin(&self, run: &RunFolder, provider: &str) {
        *self.known() = Known { before: run.previewed(provider), now: BTreeSet::new() };
    }

    /// Integrations have agreed to a plan.
    pub(super) fn add(&self, plan: String) {
        self.known().now.insert(plan);
    }

    /// Whether they have in this walk: Pulumi asks for the same difference in its refresh and after it.
    pub(super) fn has_now(&self, plan: &String) -> bool {
        self.known().now.contains(plan)
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

    /// Whether this was planned in the preview.
    pub(super) fn has(&self, plan: Option<&String>) -> bool {
        self.known().before.as_ref().zip(plan).is_some_and(|(before, plan)| before.contains(plan))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
