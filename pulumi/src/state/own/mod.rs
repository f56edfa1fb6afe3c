//! The form in which scripted and framework resources are kept.
//!
//! Outputs are the properties of the state, and beside them one or two records of ours:
//!
//! - [`META`]: JSON text in clear with the version of this form, the schema version, the provider's private data, the
//!   identity of the object, and the [`Facts`] that property values cannot carry;
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

pub use facts::Facts;

use super::{Kept, KeptIdentity, META, StateError, Stored, raw, record};
use crate::property_value::{PropertyMap, PropertyValue};
use crate::translate::inputs;

/// The output that holds our record of secret parts.
pub const SENSITIVE_META: &str = "__sensitive_meta";

/// The version of the form that we write.
const FORM: u64 = 1;

/// What is kept beside the outputs of a state.
pub(super) fn records(value: &Value, outputs: &PropertyMap, names: &ObjectNames, kept: &Kept) -> PropertyMap {
    let (clear, sensitive) = Facts::of(value, names);
    let mut meta = Map::from_iter([("form".to_owned(), Json::from(FORM))]);
    meta.insert("schemaVersion".to_owned(), Json::from(kept.schema_version));
    if let Some(identity) = &kept.identity {
        meta.insert("identity".to_owned(), identity.raw.clone());
        meta.insert("identitySchemaVersion".to_owned(), Json::from(identity.schema_version));
    }
    let mut sensitive_meta = Map::new();
    if !kept.private.is_empty() {
        let secret = kept.private_is_secret || outputs.values().any(PropertyValue::contains_secret);
        let record = if secret { &mut sensitive_meta } else { &mut meta };
        record.insert("private".to_owned(), Json::from(STANDARD.encode(&kept.private)));
    }
    clear.write(&mut meta);
    sensitive.write(&mut sensitive_meta);
    let mut records = PropertyMap::from([(META.to_owned(), PropertyValue::String(Json::Object(meta).to_string()))]);
    if !sensitive_meta.is_empty() {
        let record = PropertyValue::String(Json::Object(sensitive_meta).to_string());
        records.insert(SENSITIVE_META.to_owned(), record.into_secret());
    }
    records
}

/// Reads a state back. Without a record everything is as it is when there is nothing to say.
pub(super) fn read(properties: &PropertyMap, names: &ObjectNames) -> Result<Stored, StateError> {
    let (mut value, problems) = inputs::root(properties, names, inputs::Origin::State);
    let mut kept = Kept::default();
    if let Some(meta) = record(properties, META)? {
        let form = meta.get("form").and_then(Json::as_u64).ok_or(StateError::Meta("it has no `form`"))?;
        if form > FORM {
            return Err(StateError::NewerForm { found: form, known: FORM });
        }
        kept.schema_version = meta.get("schemaVersion").and_then(Json::as_i64).unwrap_or_default();
        kept.identity = meta.get("identity").map(|raw| KeptIdentity {
            schema_version: meta.get("identitySchemaVersion").and_then(Json::as_i64).unwrap_or_default(),
            raw: raw.clone(),
        });
        let mut private = private_of(&meta)?;
        value = Facts::read(&meta)?.restore(&value);
        if let Some(record) = record(properties, SENSITIVE_META)? {
            value = Facts::read(&record)?.restore(&value);
            if private.is_none() {
                private = private_of(&record)?;
                kept.private_is_secret = private.is_some();
            }
        }
        kept.private = private.unwrap_or_default();
    }
    let raw = raw::text(raw::of_outputs(&value, properties, names, &problems)?);
    Ok(Stored { raw, value, kept, problems })
}

fn private_of(record: &Map<String, Json>) -> Result<Option<Bytes>, StateError> {
    let Some(private) = record.get("private") else { return Ok(None) };
    let decoded = private.as_str().and_then(|text| STANDARD.decode(text).ok());
    decoded.map(|bytes| Some(bytes.into())).ok_or(StateError::Meta("`private` is not base64"))
}
