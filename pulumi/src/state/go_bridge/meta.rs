//! The record of schema version, private data and identity.
//!
//! `{"schema_version":"3","private_state":"BASE64"}`, each only where there is something to say, and no record at all where
//! there is nothing. The Go bridge knows nothing of identities: `identity` and `identity_schema_version` are ours, and it
//! loses them when it writes. What else is in a record is none of our business and is not kept.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json};

use crate::state::{Kept, KeptIdentity, StateError};

/// The text of a record; none where there is nothing to say.
pub(super) fn write(kept: &Kept) -> Option<String> {
    let mut meta = Map::new();
    if !kept.private.is_empty() {
        meta.insert("private_state".to_owned(), Json::from(STANDARD.encode(&kept.private)));
    }
    if kept.schema_version != 0 {
        meta.insert("schema_version".to_owned(), Json::from(kept.schema_version.to_string()));
    }
    if let Some(identity) = &kept.identity {
        meta.insert("identity".to_owned(), identity.raw.clone());
        if identity.schema_version != 0 {
            meta.insert("identity_schema_version".to_owned(), Json::from(identity.schema_version.to_string()));
        }
    }
    (!meta.is_empty()).then(|| Json::Object(meta).to_string())
}

/// What a record says.
pub(super) fn read(meta: Option<Map<String, Json>>) -> Result<Kept, StateError> {
    let meta = meta.unwrap_or_default();
    let private = match meta.get("private_state") {
        None | Some(Json::Null) => Some(Vec::new()),
        Some(private) => private.as_str().and_then(|text| STANDARD.decode(text).ok()),
    };
    let identity_version = version(&meta, "identity_schema_version")
        .ok_or(StateError::Meta("`identity_schema_version` is not a whole number"))?;
    let identity = meta.get("identity").filter(|raw| !raw.is_null());
    Ok(Kept {
        schema_version: version(&meta, "schema_version")
            .ok_or(StateError::Meta("`schema_version` is not a whole number"))?,
        private: private.ok_or(StateError::Meta("`private_state` is not base64"))?.into(),
        private_is_secret: false,
        identity: identity.map(|raw| KeptIdentity { schema_version: identity_version, raw: raw.clone() }),
    })
}

/// A version, which is zero where nothing is said.
fn version(meta: &Map<String, Json>, member: &str) -> Option<i64> {
    match meta.get(member) {
        None | Some(Json::Null) => Some(0),
        Some(Json::String(text)) if text.is_empty() => Some(0),
        Some(Json::String(text)) => text.parse().ok(),
        Some(other) => other.as_i64(),
    }
}
