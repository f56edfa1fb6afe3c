//! A state store, with types.

use std::future::Future;
use std::sync::{Arc, PoisonError, RwLock};

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;
use denobridge_core::{Diagnostic, Diagnostics};

use super::data_source::Asked;
use super::failure::Failure;
use super::{parity, values};
use crate::context::Context;
use crate::erased::ErasedStateStore;
use crate::model::Model;
use crate::schema::SchemaProblem;

/// A state store: keeps Terraform's states. The type that implements this is the store once it is configured, such as a
/// client with its bucket; [`StateStore::configure`] makes it.
pub trait StateStore: Sized + Send + Sync + 'static {
    /// The configuration.
    type Config: Model;

    /// The schema. The model's own, unless it is written by hand; see [`super::Resource::schema`].
    #[must_use]
    fn schema() -> Schema {
        Self::Config::schema(0)
    }

    /// Checks a configuration; see [`super::Resource::validate`].
    ///
    /// # Errors
    /// The configuration is not accepted.
    fn validate(context: &Context, config: &Self::Config) -> Result<(), Failure> {
        let _ = (context, config);
        Ok(())
    }

    /// Makes the store, before anything else is asked of it.
    ///
    /// # Errors
    /// It cannot be used with this configuration.
    fn configure(
        context: &Context,
        asked: Asked<'_, Self::Config>,
    ) -> impl Future<Output = Result<Self, Failure>> + Send;

    /// The state of that name; `None` when there is none yet.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&self, context: &Context, state_id: &str) -> impl Future<Output = Result<Option<Bytes>, Failure>> + Send;

    /// Keeps a state under that name.
    ///
    /// # Errors
    /// It could not be written; the state from before is as it was.
    fn write(
        &self,
        context: &Context,
        state_id: &str,
        state: Bytes,
    ) -> impl Future<Output = Result<(), Failure>> + Send;

    /// Locks a state and returns what unlocks it. `operation` is what the lock is for, for others to read.
    ///
    /// # Errors
    /// Someone else has the lock, or it cannot be taken.
    fn lock(
        &self,
        context: &Context,
        state_id: &str,
        operation: &str,
    ) -> impl Future<Output = Result<String, Failure>> + Send;

    /// Unlocks a state.
    ///
    /// # Errors
    /// The lock is another's, or it could not be released.
    fn unlock(
        &self,
        context: &Context,
        state_id: &str,
        lock_id: &str,
    ) -> impl Future<Output = Result<(), Failure>> + Send;

    /// The names of all states.
    ///
    /// # Errors
    /// They cannot be listed.
    fn list(&self, context: &Context) -> impl Future<Output = Result<Vec<String>, Failure>> + Send;

    /// Deletes a state. One that is not there is no failure.
    ///
    /// # Errors
    /// It could not be deleted.
    fn delete(&self, context: &Context, state_id: &str) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// A typed state store as the server sees it: none until it is configured.
pub(super) struct Bridge<S>(RwLock<Option<Arc<S>>>);

impl<S> Default for Bridge<S> {
    fn default() -> Self {
        Self(RwLock::new(None))
    }
}

impl<S> Bridge<S> {
    fn configured(&self, context: &Context) -> Result<Arc<S>, Diagnostics> {
        let store = self.0.read().unwrap_or_else(PoisonError::into_inner);
        store.clone().ok_or_else(|| {
            let detail = format!("{} was used before it was configured.", context.type_name());
            Diagnostic::error("The state store is not configured", detail).into()
        })
    }
}

#[async_trait]
impl<S: StateStore> ErasedStateStore for Bridge<S> {
    fn schema(&self) -> Schema {
        S::schema()
    }

    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        parity::disagreements::<S::Config>(component, schema)
    }

    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        values::validated(config, |config| S::validate(context, config))
    }

    async fn configure(&self, context: &Context, config: Value) -> Diagnostics {
        let config = match values::read("configuration", &config) {
            Ok(config) => config,
            Err(diagnostics) => return diagnostics,
        };
        let mut diagnostics = Diagnostics::new();
        let made = S::configure(context, Asked { config, warnings: &mut diagnostics }).await;
        if let Some(made) = values::unless_failed(made, &mut diagnostics) {
            *self.0.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(made));
        }
        diagnostics
    }

    async fn read(&self, context: &Context, state_id: &str) -> Result<Option<Bytes>, Diagnostics> {
        Ok(self.configured(context)?.read(context, state_id).await?)
    }

    async fn write(&self, context: &Context, state_id: &str, state: Bytes) -> Diagnostics {
        match self.configured(context) {
            Ok(store) => values::said(store.write(context, state_id, state).await),
            Err(diagnostics) => diagnostics,
        }
    }

    async fn lock(&self, context: &Context, state_id: &str, operation: &str) -> Result<String, Diagnostics> {
        Ok(self.configured(context)?.lock(context, state_id, operation).await?)
    }

    async fn unlock(&self, context: &Context, state_id: &str, lock_id: &str) -> Diagnostics {
        match self.configured(context) {
            Ok(store) => values::said(store.unlock(context, state_id, lock_id).await),
            Err(diagnostics) => diagnostics,
        }
    }

    async fn list(&self, context: &Context) -> Result<Vec<String>, Diagnostics> {
        Ok(self.configured(context)?.list(context).await?)
    }

    async fn delete(&self, context: &Context, state_id: &str) -> Diagnostics {
        match self.configured(context) {
            Ok(store) => values::said(store.delete(context, state_id).await),
            Err(diagnostics) => diagnostics,
        }
    }
}
