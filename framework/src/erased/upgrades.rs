//! Bringing stored state from version to version.

use std::collections::BTreeMap;
use std::sync::Arc;

use denobridge_core::Diagnostics;
use serde_json::Value as Json;

/// Brings a stored state from one schema version to the next.
pub type UpgradeStep = Arc<dyn Fn(Json) -> Result<Json, Diagnostics> + Send + Sync>;

/// The steps from older schema versions to the current one, one per version: a state of version 1 goes through the steps
/// from 1, from 2 and so on. A release that changes the schema adds a step and never has to touch the older ones.
#[derive(Clone, Default)]
pub struct StateUpgrades {
    steps: BTreeMap<i64, UpgradeStep>,
}

impl StateUpgrades {
    /// Adds the step from version `from` to the one after it. It works on the stored JSON, since the types of older
    /// versions are gone.
    #[must_use]
    pub fn from_version<F>(mut self, from: i64, step: F) -> Self
    where
        F: Fn(Json) -> Result<Json, Diagnostics> + Send + Sync + 'static,
    {
        self.steps.insert(from, Arc::new(step));
        self
    }

    /// The steps that lead from `version` to `current`; none where the first one is missing.
    pub(crate) fn path(&self, version: i64, current: i64) -> Option<Vec<UpgradeStep>> {
        (version..current).map(|from| self.steps.get(&from).cloned()).collect()
    }

    /// The version between the oldest known one and `current` that has no step, if there is one.
    pub(crate) fn gap(&self, current: i64) -> Option<i64> {
        let first = *self.steps.keys().next()?;
        (first..current).find(|from| !self.steps.contains_key(from))
    }
}

impl std::fmt::Debug for StateUpgrades {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.steps.keys()).finish()
    }
}
