//! What of a value may leave this process.
//!
//! A value is projected by its schema ([`project`]): what the schema calls sensitive or write-only is not there, and neither is
//! what is not known yet; both are listed. A provider may repeat a secret elsewhere, so all secrets that were seen are
//! remembered ([`Known`]) and taken out of whatever text they stand in. That is best effort: a secret that nobody has called one
//! is not recognised. Who needs certainty asks for no values at all ([`Values::None`]).
//!
//! # Paths
//!
//! Paths are written as users write them: `rules[0].ports["http"]`. An attribute follows a dot, or stands in brackets and quotes
//! if it is no plain word; the key of a map always does. An element of a list, and one of a set as it is sent, is a position in
//! brackets; an element of a set that is not sent is `[]`. The whole value is the empty text.

mod allowed;
mod drift;
mod known;
mod lookup;
mod names;
mod parts;
mod paths;
mod project;
mod secrets;
#[cfg(test)]
mod tests;
mod texts;

use crate::configuration::{Dynamic, Integration, Values};

pub use drift::drift;
pub(crate) use known::Secret;
pub use known::{Known, MAXIMUM_BYTES, MAXIMUM_SECRETS, SHORTEST};
pub use paths::{path_text, scrubbed_path};
pub use project::{id, identity, project};
pub use texts::diagnostics;

/// How much an integration sees. Two integrations with equal views see the same of a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View<'a> {
    /// How much of values.
    pub values: Values,
    /// The only attributes whose values it sees: dotted paths without positions. A key of a map may be named or left out, so
    /// that `listeners.http.port` is one of the ports and `listeners.port` all of them.
    pub attributes: Option<&'a [String]>,
    /// What of values whose type their schema leaves open.
    pub dynamic: Dynamic,
}

impl<'a> From<&'a Integration> for View<'a> {
    fn from(integration: &'a Integration) -> Self {
        Self { values: integration.values, attributes: integration.attributes.as_deref(), dynamic: integration.dynamic }
    }
}
