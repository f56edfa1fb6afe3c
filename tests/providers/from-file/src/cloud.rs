//! What is outside of the provider: a folder that holds a file for each object and counter, so that the steps of a case can
//! look at objects, change them and take them away.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context as _, Result};
use denobridge_core::cty::Value;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value as Json;

use crate::format::Condition;
use crate::schema::parse_value;

/// The folder, and how often each operation of this process was called.
#[derive(Default)]
pub struct Cloud {
    /// Without a folder nothing is kept, and objects are what states say.
    folder: Option<PathBuf>,
    counters: Mutex<BTreeMap<String, usize>>,
    calls: Mutex<BTreeMap<String, usize>>,
}

impl Cloud {
    /// A cloud in that folder.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self { folder, ..Self::default() }
    }

    /// Whether objects are kept.
    pub fn keeps(&self) -> bool {
        self.folder.is_some()
    }

    /// The object of that key.
    ///
    /// # Errors
    /// Its file cannot be read.
    pub fn object(&self, type_name: &str, key: &str) -> Result<Option<Json>> {
        let Some(file) = self.file(type_name, key) else { return Ok(None) };
        match fs::read(&file) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).with_context(|| file.display().to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(|| file.display().to_string()),
        }
    }

    /// Keeps an object.
    ///
    /// # Errors
    /// Its file cannot be written.
    pub fn keep(&self, type_name: &str, key: &str, object: &Json) -> Result<()> {
        let Some(file) = self.file(type_name, key) else { return Ok(()) };
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&file, serde_json::to_vec_pretty(object)?).with_context(|| file.display().to_string())
    }

    /// Removes an object, if it is there.
    pub fn remove(&self, type_name: &str, key: &str) {
        if let Some(file) = self.file(type_name, key) {
            let _ = fs::remove_file(file);
        }
    }

    /// The next number of a counter, from 1.
    pub fn count(&self, name: &str) -> usize {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(folder) = &self.folder else {
            let counter = counters.entry(name.to_owned()).or_default();
            *counter += 1;
            return *counter;
        };
        let file = folder.join(format!("counter-{name}"));
        let next = fs::read_to_string(&file).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0) + 1;
        let _ = fs::create_dir_all(folder);
        let _ = fs::write(file, next.to_string());
        next
    }

    /// The number of this call of an operation, from 1.
    pub fn call(&self, operation: &str) -> usize {
        let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let call = calls.entry(operation.to_owned()).or_default();
        *call += 1;
        *call
    }

    /// Whether a condition is met in that call for that object.
    pub fn meets(&self, condition: &Condition, call: usize, object: &Value) -> bool {
        let there = |name: &String| self.folder.as_ref().is_some_and(|folder| folder.join(name).exists());
        let equal = |(name, wanted): (&String, &Json)| {
            let Some(value) = object.attribute(name) else { return false };
            parse_value(wanted, &value.ty()).is_ok_and(|wanted| wanted == value.clone().without_marks_deep())
        };
        condition.file.as_ref().is_none_or(there)
            && !condition.no_file.as_ref().is_some_and(there)
            && condition.call.is_none_or(|wanted| wanted == call)
            && condition.attributes.iter().all(equal)
    }

    fn file(&self, type_name: &str, key: &str) -> Option<PathBuf> {
        let name = utf8_percent_encode(key, NON_ALPHANUMERIC).to_string().replace("%2D", "-").replace("%5F", "_");
        Some(self.folder.as_ref()?.join(type_name).join(format!("{name}.json")))
    }
}
