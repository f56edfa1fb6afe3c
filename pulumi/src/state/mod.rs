//! How resources are kept in Pulumi's state: the outputs that programs see, and records beside them of what outputs
//! cannot carry. There are two forms, one for each of the [`Conventions`]:
//!
//! | form | who is kept in it | records |
//! |---|---|---|
//! | [`own`] | scripted resources, and those of providers written with the framework | `__meta`, `__sensitive_meta` |
//! | [`go_bridge`] | resources of foreign providers; the Go bridge reads and writes it too | `__meta`, `__pulumi_raw_state_delta` |
//!
//! Either form is read back as the JSON that Terraform would have in its state file, since that is what a provider has to
//! be given: only the provider knows what a state of an older schema means.

pub mod go_bridge;
mod names;
pub mod own;
mod raw;

use bytes::Bytes;
use denobridge_core::cty::{Value, json};
use denobridge_sdk_gen::ObjectNames;
use serde_json::{Map, Value as Json};
use thiserror::Error;

use crate::Conventions;
use crate::property_value::{PropertyMap, PropertyValue, wire};
use crate::translate::{TranslateError, outputs};

/// The output that holds a record of schema version, private data and more, as JSON text. Each form has its own members.
/// Names that start with two underscores are not shown by the engine.
pub const META: &str = "__meta";

/// What is kept with the state of a resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// Version of the schema that the state was written with.
    pub schema_version: i64,
    /// The provider's private data.
    pub private: Bytes,
    /// The private data may tell a secret that the state itself does not hold.
    pub private_is_secret: bool,
    /// What tells the object from all others, if the resource has an identity. There are no secrets in one.
    pub identity: Option<KeptIdentity>,
}

/// An identity as it is kept.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeptIdentity {
    /// Version of the identity's schema that it was written with.
    pub schema_version: i64,
    /// The identity by Terraform's names.
    pub raw: Json,
}

/// Why stored outputs cannot be read.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum StateError {
    /// The record is not what we write.
    #[error("the output `{META}` in the stored state cannot be read: {0}; was the state edited by hand?")]
    Meta(&'static str),
    /// The record is of a later version of this program.
    #[error(
        "the stored state was written by a newer version of the plugin (form {found}, this one knows up to {known}); use \
         that version or a newer one"
    )]
    NewerForm {
        /// The version of the form.
        found: u64,
        /// The newest one that we know.
        known: u64,
    },
    /// The recipe for the raw state does not fit the outputs that it is for.
    #[error(transparent)]
    Delta(#[from] go_bridge::DeltaError),
    /// An output does not fit the schema.
    #[error("the output `{}` in the stored state does not fit the resource's schema: {}", .0.path(), .0.problem)]
    Output(TranslateError),
    /// What was stored is no state of the current schema, or none that JSON could say.
    #[error("the stored state does not fit the resource's schema: {0}")]
    Raw(#[from] json::JsonError),
}

/// Stored outputs, read.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The state as JSON by Terraform's names, as the schema had it that it was written with.
    pub raw: Bytes,
    /// The state as far as outputs alone tell it and the current schema can read it. It knows what is secret.
    pub value: Value,
    /// What is kept with it.
    pub kept: Kept,
    /// Outputs that the current schema cannot read, which only matter if the schema has not changed since.
    pub problems: Vec<TranslateError>,
}

/// A state, written.
#[derive(Clone, Debug)]
pub struct Written {
    /// Outputs and records.
    pub outputs: PropertyMap,
    /// Outputs that had to be left out, since they are nested more than [`wire::MAX_NESTING`] levels deep.
    pub left_out: Vec<String>,
}

/// Writes a state.
#[must_use]
pub fn write(conventions: Conventions, value: &Value, names: &ObjectNames, kept: &Kept) -> Written {
    let mut outputs = outputs::for_programs(outputs::root(value, names));
    let mut left_out = Vec::new();
    outputs.retain(|name, property| {
        let fits = property.nesting() <= wire::MAX_NESTING;
        if !fits {
            left_out.push(name.clone());
        }
        fits
    });
    let records = match conventions {
        Conventions::Own => own::records(value, &outputs, names, kept),
        Conventions::GoBridge => go_bridge::records(value, &outputs, names, kept),
    };
    outputs.extend(records);
    Written { outputs, left_out }
}

/// Keeps the order that sets have in `stored`, where `outputs` are of the same resource and have the same elements: a
/// refresh that finds nothing new must not look like a change.
pub fn keep_order(conventions: Conventions, outputs: &mut PropertyMap, stored: &PropertyMap, names: &ObjectNames) {
    // Ours are always in one order, and the records of our form count on it.
    if conventions == Conventions::GoBridge {
        go_bridge::order::keep(outputs, stored, names);
    }
}

/// Reads a state back.
///
/// # Errors
/// See [`StateError`].
pub fn read(conventions: Conventions, properties: &PropertyMap, names: &ObjectNames) -> Result<Stored, StateError> {
    match conventions {
        Conventions::Own => own::read(properties, names),
        Conventions::GoBridge => go_bridge::read(properties, names),
    }
}

/// Whether these are outputs as [`write`] makes them, rather than what a program knows of a resource. A state of the Go
/// bridge may have no record.
#[must_use]
pub fn is_ours(properties: &PropertyMap) -> bool {
    [META, go_bridge::DELTA].iter().any(|record| properties.contains_key(*record))
}

/// The JSON object that a record holds as text; `None`: there is no such record.
fn record(properties: &PropertyMap, name: &str) -> Result<Option<Map<String, Json>>, StateError> {
    match properties.get(name).map(PropertyValue::plain) {
        None | Some(PropertyValue::Null) => Ok(None),
        Some(PropertyValue::String(text)) => {
            serde_json::from_str(text).map(Some).map_err(|_| StateError::Meta("it is not a JSON object"))
        }
        Some(_) => Err(StateError::Meta("it is not text")),
    }
}
