//! Refinements: what is known of a value that is not known yet.

use std::sync::Arc;

use super::Number;

/// Bounds on an unknown value. The default says nothing. A refinement in a plan must hold at apply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Refinement {
    /// The value will not be null.
    pub not_null: bool,
    /// The text will start so.
    pub string_prefix: Option<Arc<str>>,
    /// The number will not be below this; `true` when the bound itself is possible.
    pub number_min: Option<(Number, bool)>,
    /// The number will not be above this; `true` when the bound itself is possible.
    pub number_max: Option<(Number, bool)>,
    /// The collection will have at least this many elements.
    pub length_min: Option<u64>,
    /// The collection will have at most this many elements.
    pub length_max: Option<u64>,
}

impl Refinement {
    /// Only "will not be null".
    #[must_use]
    pub fn not_null() -> Self {
        Self { not_null: true, ..Self::default() }
    }

    /// Whether this says nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
