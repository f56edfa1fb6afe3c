//! Private data: what a provider remembers about an object without showing it.
//!
//! Stored as terraform-plugin-framework stores it, one JSON object of key → base64 of a JSON value, so that providers
//! can be rewritten in Rust without losing what is in people's states. Keys that start with a dot are the framework's.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The private data of one object.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PrivateData {
    entries: BTreeMap<String, Vec<u8>>,
    /// The bytes that this was read from, as long as nothing has changed: unchanged data go back byte for byte.
    original: Option<Bytes>,
}

/// Why private data cannot be used. Never quotes them.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PrivateDataError {
    /// The whole is not what this framework (or Go's) writes.
    #[error("the private data are not a JSON object of base64 texts: {0}")]
    Unreadable(String),
    /// One value is not JSON of the type asked for.
    #[error("the private value {key:?} has another form than expected")]
    WrongForm {
        /// Its key.
        key: String,
    },
    /// Keys with a leading dot belong to the framework.
    #[error("the private key {key:?} starts with a dot, which is kept for the framework")]
    Reserved {
        /// The key.
        key: String,
    },
}

impl PrivateData {
    /// Reads what [`PrivateData::encode`] wrote; empty bytes are empty data.
    ///
    /// # Errors
    /// The bytes are something else.
    pub fn decode(bytes: &Bytes) -> Result<Self, PrivateDataError> {
        if bytes.is_empty() {
            return Ok(Self::default());
        }
        let texts: BTreeMap<String, String> =
            serde_json::from_slice(bytes).map_err(|error| PrivateDataError::Unreadable(place_of(&error)))?;
        let entries = texts
            .into_iter()
            .map(|(key, text)| match STANDARD.decode(text) {
                Ok(value) => Ok((key, value)),
                Err(_) => Err(PrivateDataError::Unreadable(format!("the value of {key:?} is not base64"))),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { entries, original: Some(bytes.clone()) })
    }

    /// The bytes to store; empty when there is nothing.
    #[must_use]
    pub fn encode(&self) -> Bytes {
        if let Some(original) = &self.original {
            return original.clone();
        }
        if self.entries.is_empty() {
            return Bytes::new();
        }
        let texts: serde_json::Map<String, serde_json::Value> =
            self.entries.iter().map(|(key, value)| (key.clone(), STANDARD.encode(value).into())).collect();
        Bytes::from(serde_json::Value::Object(texts).to_string())
    }

    /// The value of `key`, or `None` when there is none.
    ///
    /// # Errors
    /// The value has another form.
    pub fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, PrivateDataError> {
        let Some(bytes) = self.entries.get(key) else { return Ok(None) };
        serde_json::from_slice(bytes).map(Some).map_err(|_| PrivateDataError::WrongForm { key: key.to_owned() })
    }

    /// Sets the value of `key`.
    ///
    /// # Errors
    /// The key is the framework's, or the value has no JSON form.
    pub fn set<T: Serialize>(&mut self, key: &str, value: &T) -> Result<(), PrivateDataError> {
        if key.starts_with('.') {
            return Err(PrivateDataError::Reserved { key: key.to_owned() });
        }
        let bytes = serde_json::to_vec(value).map_err(|_| PrivateDataError::WrongForm { key: key.to_owned() })?;
        self.original = None;
        self.entries.insert(key.to_owned(), bytes);
        Ok(())
    }

    /// Removes the value of `key`, if there is one.
    pub fn remove(&mut self, key: &str) {
        if self.entries.remove(key).is_some() {
            self.original = None;
        }
    }

    /// Whether there is a value for `key`.
    #[must_use]
    pub fn contains(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }
}

impl std::fmt::Debug for PrivateData {
    /// Keys only: values may be secret.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.entries.keys()).finish()
    }
}

/// Where JSON is wrong, without the words around it.
fn place_of(error: &serde_json::Error) -> String {
    format!("wrong at line {} column {}", error.line(), error.column())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_go_stores_can_be_read_and_goes_back_unchanged() {
        let stored = Bytes::from_static(br#"{"write_only_props_hash":"eyJoYXNoIjoiYWIifQ==", ".frameworkKey":"e30="}"#);
        let mut private = PrivateData::decode(&stored).unwrap();
        assert_eq!(private.get("write_only_props_hash"), Ok(Some(json!({"hash": "ab"}))));
        assert_eq!(private.encode(), stored);
        private.remove("write_only_props_hash");
        assert_eq!(private.encode(), Bytes::from_static(br#"{".frameworkKey":"e30="}"#));
        assert_eq!(private.get::<String>("write_only_props_hash"), Ok(None));
    }

    #[test]
    fn values_survive_and_nothing_stays_nothing() {
        assert_eq!(PrivateData::default().encode(), Bytes::new());
        let mut private = PrivateData::default();
        private.set("a", &json!([1, "x"])).unwrap();
        let again = PrivateData::decode(&private.encode()).unwrap();
        assert_eq!(again.get("a"), Ok(Some(json!([1, "x"]))));
        assert_eq!(again.get::<String>("a"), Err(PrivateDataError::WrongForm { key: "a".to_owned() }));
        assert_eq!(private.set(".a", &1), Err(PrivateDataError::Reserved { key: ".a".to_owned() }));
    }

    #[test]
    fn foreign_bytes_are_an_error_that_does_not_quote_them() {
        let error = PrivateData::decode(&Bytes::from_static(b"hunter2")).unwrap_err();
        assert!(!error.to_string().contains("hunter2"));
        assert!(PrivateData::decode(&Bytes::from_static(br#"{"a":"*"}"#)).is_err());
    }
}
