//! What differs between two states.

use std::sync::Arc;

use denobridge_core::cty::Value;
use denobridge_core::planning::same_value;

/// One attribute or block that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldChange {
    /// Its name.
    pub name: Arc<str>,
    /// What it was; `None` when there was no object.
    pub old: Option<Value>,
    /// What it becomes; `None` when there will be no object.
    pub new: Option<Value>,
}

/// The attributes and blocks in which two objects of one schema differ, by name. A null object has none, so that a creation
/// changes all of them and a deletion too.
#[must_use]
pub fn changes(old: &Value, new: &Value) -> Vec<FieldChange> {
    let names =
        [old, new].into_iter().flat_map(|object| object.as_entries().into_iter().flatten().map(|(name, _)| name));
    let mut names: Vec<&Arc<str>> = names.collect();
    names.sort();
    names.dedup();
    names
        .into_iter()
        .filter_map(|name| {
            let (old, new) = (old.attribute(name), new.attribute(name));
            if let (Some(old), Some(new)) = (old, new)
                && same_value(old, new)
            {
                return None;
            }
            Some(FieldChange { name: Arc::clone(name), old: old.cloned(), new: new.cloned() })
        })
        .collect()
}
