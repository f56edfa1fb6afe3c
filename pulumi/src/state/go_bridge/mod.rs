//! The form in which Pulumi's Go dynamic bridge keeps resources, so that a stack that it has made goes on under us, and
//! one of ours under it.
//!
//! Beside the outputs there are up to two records:
//!
//! - [`META`](super::META): JSON text with the schema version (absent: zero) and the provider's private data ([`meta`]);
//! - [`DELTA`]: how to make the raw Terraform state of the outputs ([`delta`]). It says what names and values cannot say
//!   by themselves, so that a state reads back without the schema that it was written with.
//!
//! Two things are done better than the Go bridge does them, in ways that it does not notice:
//!
//! - a state that the delta does not rebuild exactly is kept as a whole, where the Go bridge fails after the provider has
//!   already made the resource;
//! - raw state with numbers that no double holds is kept as text beside the rounded form ([`delta::TEXT`]).
//!
//! The private data is in clear, as the Go bridge has it: it looks for a plain text. What a provider must not tell there
//! it would tell in Terraform's state file too.

mod compute;
mod delta;
mod meta;
pub(super) mod order;
mod recover;
#[cfg(test)]
mod tests;

use denobridge_core::cty::Value;
use denobridge_sdk_gen::{Field, ObjectNames};
use serde_json::{Map, Value as Json};

use self::delta::Delta;
pub use self::delta::{DeltaError, DeltaProblem};
use super::{Kept, META, StateError, Stored, raw, record};
use crate::property_value::{PropertyMap, PropertyValue, wire};
use crate::translate::inputs;

/// The output that says how to make raw state of the outputs.
pub const DELTA: &str = "__pulumi_raw_state_delta";

/// Outputs that are no part of a state.
const RESERVED: [&str; 3] = [META, DELTA, "__defaults"];

/// The name of a block that providers add for time limits. It is in raw state only where it is among the outputs.
const TIMEOUTS: &str = "timeouts";

/// What is kept beside the outputs of a state.
pub(super) fn records(value: &Value, outputs: &PropertyMap, names: &ObjectNames, kept: &Kept) -> PropertyMap {
    let mut records = PropertyMap::new();
    if let Some(text) = meta::write(kept) {
        records.insert(META.to_owned(), PropertyValue::String(text));
    }
    if let Some(delta) = delta_of(value, outputs, names) {
        records.insert(DELTA.to_owned(), delta);
    }
    records
}

/// The first that makes exactly this state of the outputs: the delta, or the state as a whole. Without any the state is what
/// the schema makes of the outputs.
fn delta_of(value: &Value, outputs: &PropertyMap, names: &ObjectNames) -> Option<PropertyValue> {
    // No raw state: something is not known yet.
    let mut raw = raw::of_value(value, names).ok()?;
    if names.by_terraform(TIMEOUTS).is_some_and(|field| is_unset(field, &raw, outputs)) {
        raw.remove(TIMEOUTS);
    }
    let ways: [fn(&Whole<'_>) -> Delta; 2] = [compute::whole, compute::replaced];
    let whole = Whole { value, raw: &raw, outputs, names };
    ways.iter().map(|way| way(&whole).write()).find(|delta| fits(delta) && rebuilds(delta, outputs, &raw))
}

/// Whether a delta can be sent such that it can also be read again.
fn fits(delta: &PropertyValue) -> bool {
    delta.nesting() <= wire::MAX_RECORD_NESTING
}

/// A state from both sides.
struct Whole<'s> {
    value: &'s Value,
    raw: &'s Map<String, Json>,
    outputs: &'s PropertyMap,
    names: &'s ObjectNames,
}

fn is_unset(field: &Field, raw: &Map<String, Json>, outputs: &PropertyMap) -> bool {
    raw.get(&*field.terraform).is_none_or(Json::is_null) && !outputs.contains_key(&*field.pulumi)
}

fn rebuilds(delta: &PropertyValue, outputs: &PropertyMap, raw: &Map<String, Json>) -> bool {
    let rebuilt = Delta::read(delta).and_then(|delta| recover::root(&delta, outputs));
    rebuilt.is_ok_and(|rebuilt| rebuilt == *raw)
}

/// Reads a state back. Without a delta it is what the current schema makes of the outputs: states of older versions of
/// the Go bridge have none, and a user who edits a state may take it out.
pub(super) fn read(properties: &PropertyMap, names: &ObjectNames) -> Result<Stored, StateError> {
    let kept = meta::read(record(properties, META)?)?;
    let (value, problems) = inputs::root(properties, names, inputs::Origin::State);
    let delta = properties.get(DELTA).filter(|delta| !delta.is_null());
    let (raw, problems) = match delta {
        Some(delta) => (recover::root(&Delta::read(delta)?, properties)?, Vec::new()),
        None => (raw::of_outputs(&value, properties, names, &problems)?, problems),
    };
    Ok(Stored { raw: raw::text(raw), value, kept, problems })
}
