//! The order of set elements.

use super::Value;

/// Sorted without duplicates.
pub(super) fn canonical(mut items: Vec<Value>) -> Vec<Value> {
    items.dedup();
    items
}
