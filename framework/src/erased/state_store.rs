//! A state store.

use async_trait::async_trait;
use bytes::Bytes;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::schema::Schema;

use crate::context::Context;
use crate::schema::SchemaProblem;

/// A state store: keeps Terraform's states. A state crosses the wire in chunks; the server cuts and joins them, so a store
/// sees whole states.
#[async_trait]
pub trait ErasedStateStore: Send + Sync {
    /// The schema. Asked for once.
    fn schema(&self) -> Schema;

    /// What is wrong with the component beyond what its schema shows; see [`super::ErasedResource::schema_problems`].
    fn schema_problems(&self, component: &str, schema: &Schema) -> Vec<SchemaProblem> {
        let _ = (component, schema);
        Vec::new()
    }

    /// Checks a configuration beyond what the schema says; see [`super::ErasedResource::validate`].
    async fn validate(&self, context: &Context, config: &Value) -> Diagnostics {
        let _ = (context, config);
        Diagnostics::new()
    }

    /// Takes the configuration, before anything else is asked.
    async fn configure(&self, context: &Context, config: Value) -> Diagnostics;

    /// The state of that name; `None` when there is none yet.
    ///
    /// # Errors
    /// It cannot be read.
    async fn read(&self, context: &Context, state_id: &str) -> Result<Option<Bytes>, Diagnostics>;

    /// Keeps a state under that name.
    async fn write(&self, context: &Context, state_id: &str, state: Bytes) -> Diagnostics;

    /// Locks a state and returns what unlocks it. `operation` is what the lock is for, for others to read.
    ///
    /// # Errors
    /// Someone else has the lock, or it cannot be taken.
    async fn lock(&self, context: &Context, state_id: &str, operation: &str) -> Result<String, Diagnostics>;

    /// Unlocks a state.
    async fn unlock(&self, context: &Context, state_id: &str, lock_id: &str) -> Diagnostics;

    /// The names of all states.
    ///
    /// # Errors
    /// They cannot be listed.
    async fn list(&self, context: &Context) -> Result<Vec<String>, Diagnostics>;

    /// Deletes a state. One that is not there is no failure.
    async fn delete(&self, context: &Context, state_id: &str) -> Diagnostics;
}
