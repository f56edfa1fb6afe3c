//! The state store.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics};
use denobridge_framework::Context;
use denobridge_framework::erased::ErasedStateStore;

use super::components::{does, obey};
use super::schema;

/// Keeps states in memory; obeys the word of its configuration with each request.
#[derive(Default)]
pub(super) struct Store {
    config: Mutex<Option<Value>>,
    states: Mutex<BTreeMap<String, Bytes>>,
}

impl Store {
    fn states(&self) -> MutexGuard<'_, BTreeMap<String, Bytes>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn obey(&self, context: &Context) -> Diagnostics {
        let config = self.config.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(config) = config else { return Diagnostic::error("not configured", "").into() };
        let word = does(&config).trim_start_matches("later ").to_owned();
        obey(context, &config.with_attribute("does", Value::string(word)))
    }

    fn tried<T>(&self, context: &Context, result: T) -> Result<T, Diagnostics> {
        let said = self.obey(context);
        if said.has_errors() { Err(said) } else { Ok(result) }
    }
}

#[async_trait]
impl ErasedStateStore for Store {
    fn schema(&self) -> Schema {
        schema(Vec::new())
    }

    async fn validate(&self, _: &Context, config: &Value) -> Diagnostics {
        if does(config) == "panic in validation" {
            panic!("deliberate")
        }
        Diagnostics::new()
    }

    async fn configure(&self, context: &Context, config: Value) -> Diagnostics {
        *self.config.lock().unwrap_or_else(PoisonError::into_inner) = Some(config.clone());
        obey(context, &config)
    }

    async fn read(&self, context: &Context, state_id: &str) -> Result<Option<Bytes>, Diagnostics> {
        let state = self.states().get(state_id).cloned();
        self.tried(context, state)
    }

    async fn write(&self, context: &Context, state_id: &str, state: Bytes) -> Diagnostics {
        self.states().insert(state_id.to_owned(), state);
        self.obey(context)
    }

    async fn lock(&self, context: &Context, state_id: &str, operation: &str) -> Result<String, Diagnostics> {
        self.tried(context, format!("{state_id} for {operation}"))
    }

    async fn unlock(&self, context: &Context, _: &str, _: &str) -> Diagnostics {
        self.obey(context)
    }

    async fn list(&self, context: &Context) -> Result<Vec<String>, Diagnostics> {
        let names = self.states().keys().cloned().collect();
        self.tried(context, names)
    }

    async fn delete(&self, context: &Context, state_id: &str) -> Diagnostics {
        self.states().remove(state_id);
        self.obey(context)
    }
}
