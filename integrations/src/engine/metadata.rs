//! Facts that integrations give for the report, within limits.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value as Json};

/// The longest key, in bytes.
const LONGEST_KEY: usize = 64;
/// How deep a value may be nested.
const DEEPEST: usize = 8;
/// The most for one result, in bytes of JSON.
const LARGEST: usize = 16 << 10;
/// The most for one integration in one process, in bytes of JSON.
const LARGEST_SUM: usize = 1 << 20;

/// How much each integration has given so far.
#[derive(Default)]
pub(super) struct Metadata(Mutex<HashMap<Arc<str>, usize>>);

impl Metadata {
    /// What of the facts is kept, and why if it is nothing.
    pub(super) fn keep<'m>(
        &self,
        integration: &Arc<str>,
        metadata: Option<&'m Map<String, Json>>,
    ) -> (Option<&'m Map<String, Json>>, Option<String>) {
        let Some(metadata) = metadata.filter(|metadata| !metadata.is_empty()) else { return (None, None) };
        match self.check(integration, metadata) {
            Ok(()) => (Some(metadata), None),
            Err(reason) => (None, Some(format!("its metadata is left out of the report: {reason}"))),
        }
    }

    fn check(&self, integration: &Arc<str>, metadata: &Map<String, Json>) -> Result<(), String> {
        if let Some(key) = metadata.keys().find(|key| !is_key(key)) {
            let key: String = key.chars().take(LONGEST_KEY).collect();
            return Err(format!("{key:?} is no key; keys are 1 to {LONGEST_KEY} of a-z, 0-9, \"_\", \".\" and \"-\""));
        }
        if metadata.values().any(|value| is_deeper(value, DEEPEST - 1)) {
            return Err(format!("it is nested more than {DEEPEST} levels deep"));
        }
        let size = serde_json::to_string(metadata).map_or(usize::MAX, |text| text.len());
        if size > LARGEST {
            return Err(format!("{size} bytes are more than the {LARGEST} that one result may have"));
        }
        let mut sums = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let sum = sums.entry(Arc::clone(integration)).or_default();
        if *sum + size > LARGEST_SUM {
            return Err(format!("all of it would be more than the {LARGEST_SUM} bytes that a run may have"));
        }
        *sum += size;
        Ok(())
    }
}

fn is_key(key: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_.-".contains(&byte);
    (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(allowed)
}

/// Whether it has more than `levels` levels of arrays and objects. The parser has bounded how deep it can be at all.
fn is_deeper(value: &Json, levels: usize) -> bool {
    let Some(below) = levels.checked_sub(1) else {
        return value.is_array() || value.is_object();
    };
    match value {
        Json::Array(items) => items.iter().any(|item| is_deeper(item, below)),
        Json::Object(members) => members.values().any(|member| is_deeper(member, below)),
        _ => false,
    }
}
