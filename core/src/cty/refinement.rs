//! Refinements: what is known of a value that is not known yet.

use std::sync::Arc;

use super::{Number, Type, Value};

/// A list of a known length becomes a list of unknown elements only up to this length: ten bytes must not turn into
/// gigabytes. go-cty has no such bound.
const LONGEST_PLACEHOLDER: u64 = 1024;

/// Bounds on an unknown value. The default says nothing. A refinement in a plan must hold at apply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

    /// Whether no value at all can be meant, so that whoever wrote it made a mistake.
    #[must_use]
    pub fn excludes_all(&self) -> bool {
        let numbers = match (&self.number_min, &self.number_max) {
            (Some((min, min_inclusive)), Some((max, max_inclusive))) => {
                min > max || (min == max && !(*min_inclusive && *max_inclusive))
            }
            _ => false,
        };
        let lengths = matches!((self.length_min, self.length_max), (Some(min), Some(max)) if min > max);
        numbers || lengths
    }

    /// The parts that can be said of a value of `ty`; a lower bound of no elements says nothing.
    pub(super) fn applicable_to(self, ty: &Type) -> Self {
        let not_null = self.not_null;
        match ty {
            Type::Dynamic => Self::default(),
            Type::String => {
                Self { not_null, string_prefix: self.string_prefix.filter(|text| !text.is_empty()), ..Self::default() }
            }
            Type::Number => {
                Self { not_null, number_min: self.number_min, number_max: self.number_max, ..Self::default() }
            }
            Type::List(_) | Type::Set(_) | Type::Map(_) => Self {
                not_null,
                length_min: self.length_min.filter(|length| *length > 0),
                length_max: self.length_max,
                ..Self::default()
            },
            Type::Bool | Type::Object(_) | Type::Tuple(_) => Self { not_null, ..Self::default() },
        }
    }

    /// The value that is meant when only one is left, as go-cty finds it.
    pub(super) fn only_value(&self, ty: &Type) -> Option<Value> {
        if !self.not_null {
            return None;
        }
        if let (Some((min, true)), Some((max, true))) = (&self.number_min, &self.number_max) {
            return (min == max).then(|| Value::number(min.clone()));
        }
        let length = self.length_max.filter(|max| *max == self.length_min.unwrap_or(0))?;
        let unknowns = |element: &Type| (0..length).map(|_| Value::unknown(element.clone())).collect::<Vec<_>>();
        match ty {
            Type::Map(element) if length == 0 => Some(Value::map::<&str>((**element).clone(), [])),
            Type::Set(element) if length <= 1 => Some(Value::set((**element).clone(), unknowns(element))),
            Type::List(element) if length <= LONGEST_PLACEHOLDER => {
                Some(Value::list((**element).clone(), unknowns(element)))
            }
            _ => None,
        }
    }

    /// Whether this says nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
