//! The form in which scripted and framework resources are kept in Pulumi's state.
//!
//! Outputs are the properties of the state, and beside them one or two records of ours:
//!
//! - [`META`]: JSON text in clear with the version of this form, the schema version, the provider's private data, and
//!   the [`Facts`] that property values cannot carry;
//! - [`SENSITIVE_META`]: the facts about secret parts, as one secret; only where there are any. The private data is here
//!   too if the resource has any secret, write-only values included: what a provider notes down about a resource, such as
//!   a digest of its password, is as secret as the resource.
//!
//! So a state without secrets holds not one encrypted value, and no fact about a secret (the keys of a secret map, the
//! digits of a secret number) lies beside it in clear.

mod facts;
#[cfg(test)]
mod tests;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_sdk_gen::ObjectNames;
use serde_json::{Map, Value as Json};
use thiserror::Error;

pub use facts::Facts;

use crate::property_value::{PropertyMap, PropertyValue};
use crate::translate::{TranslateError, inputs, outputs};

/// The output that holds our record. Names that start with two underscores are not shown by the engine.
pub const META: &str = "__meta";

/// The output that holds our record of secret parts.
pub const SENSITIVE_META: &str = "__sensitive_meta";

/// The version of the form that we write.
const FORM: u64 = 1;

/// A resource as it is kept: its state, and what is kept with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kept {
    /// Version of the schema that the state was written with.
    pub schema_version: i64,
    /// The provider's private data.
    pub private: Bytes,
    /// The private data may tell a secret that the state itself does not hold.
    pub private_is_secret: bool,
}

/// Why stored outputs cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum StateError {
    /// The record is not what we write.
    #[error("the output `{META}` in the stored state cannot be read: {0}; was the state edited by hand?")]
    Meta(&'static str),
    /// The record is of a later version of this program.
    #[error(
        "the stored state was written by a newer version of the plugin (form {0}, this one knows up to {FORM}); use \
         that version or a newer one"
    )]
    NewerForm(u64),
    /// An output does not fit the schema.
    #[error("the output `{}` in the stored state does not fit the resource's schema: {}", .0.path(), .0.problem)]
    Output(TranslateError),
}

/// Stored outputs, read.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The state as far as the current schema can read it.
    pub value: Value,
    /// What is kept with it.
    pub kept: Kept,
    /// Outputs that the current schema cannot read, which only matter if the schema has changed since.
    pub problems: Vec<TranslateError>,
}

/// Writes a state as outputs.
#[must_use]
pub fn write(value: &Value, names: &ObjectNames, kept: &Kept) -> PropertyMap {
    let mut properties = outputs::root(value, names);
    let (clear, sensitive) = Facts::of(value, names);
    let mut meta = Map::from_iter([("form".to_owned(), Json::from(FORM))]);
    meta.insert("schemaVersion".to_owned(), Json::from(kept.schema_version));
    let mut sensitive_meta = Map::new();
    if !kept.private.is_empty() {
        let secret = kept.private_is_secret || properties.values().any(PropertyValue::contains_secret);
        let record = if secret { &mut sensitive_meta } else { &mut meta };
        record.insert("private".to_owned(), Json::from(STANDARD.encode(&kept.private)));
    }
    clear.write(&mut meta);
    sensitive.write(&mut sensitive_meta);
    properties.insert(META.to_owned(), PropertyValue::String(Json::Object(meta).to_string()));
    if !sensitive_meta.is_empty() {
        let record = PropertyValue::String(Json::Object(sensitive_meta).to_string());
        properties.insert(SENSITIVE_META.to_owned(), record.into_secret());
    }
    properties
}

/// Whether these outputs were written by [`write`].
#[must_use]
pub fn is_ours(properties: &PropertyMap) -> bool {
    properties.contains_key(META)
}

/// Reads a state back.
///
/// # Errors
/// See [`StateError`].
pub fn read(properties: &PropertyMap, names: &ObjectNames) -> Result<Stored, StateError> {
    let (value, problems) = inputs::root(properties, names, inputs::Origin::State);
    let Some(meta) = record(properties, META)? else {
        return Ok(Stored { value, kept: Kept::default(), problems });
    };
    let form = meta.get("form").and_then(Json::as_u64).ok_or(StateError::Meta("it has no `form`"))?;
    if form > FORM {
        return Err(StateError::NewerForm(form));
    }
    let schema_version = meta.get("schemaVersion").and_then(Json::as_i64).unwrap_or_default();
    let mut private = private_of(&meta)?;
    let mut private_is_secret = false;
    let mut value = Facts::read(&meta)?.restore(&value);
    if let Some(record) = record(properties, SENSITIVE_META)? {
        value = Facts::read(&record)?.restore(&value);
        if private.is_none() {
            private = private_of(&record)?;
            private_is_secret = private.is_some();
        }
    }
    let kept = Kept { schema_version, private: private.unwrap_or_default(), private_is_secret };
    Ok(Stored { value, kept, problems })
}

fn private_of(record: &Map<String, Json>) -> Result<Option<Bytes>, StateError> {
    let Some(private) = record.get("private") else { return Ok(None) };
    let decoded = private.as_str().and_then(|text| STANDARD.decode(text).ok());
    decoded.map(|bytes| Some(bytes.into())).ok_or(StateError::Meta("`private` is not base64"))
}

fn record(properties: &PropertyMap, name: &str) -> Result<Option<Map<String, Json>>, StateError> {
    match properties.get(name).map(PropertyValue::plain) {
        None | Some(PropertyValue::Null) => Ok(None),
        Some(PropertyValue::String(text)) => {
            serde_json::from_str(text).map(Some).map_err(|_| StateError::Meta("it is not a JSON object"))
        }
        Some(_) => Err(StateError::Meta("it is not text")),
    }
}
