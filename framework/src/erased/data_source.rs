//! A data source.

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::provider::Deferred;
use denobridge_core::schema::Schema;

use crate::context::Context;
use crate::schema::SchemaProblem;

/// A data source: something that is looked up and never changed.
#[async_trait]
pub trait ErasedDataSource: Send + Sync {
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

    /// Looks it up. What it returns must be wholly known and of the schema's type.
    async fn read(&self, context: &Context, config: Value) -> DataRead;
}

/// What a data source found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataRead {
    /// The configuration with everything else filled in; `None` with errors, or when the answer is put off.
    pub state: Option<Value>,
    /// Why it cannot be said yet. Only where [`Context::client_capabilities`] allow it.
    pub deferred: Option<Deferred>,
    /// Messages in order.
    pub diagnostics: Diagnostics,
}

impl DataRead {
    /// What was found, and nothing to say.
    #[must_use]
    pub fn of(state: Value) -> Self {
        Self { state: Some(state), ..Self::default() }
    }

    /// Nothing, because of errors.
    #[must_use]
    pub fn failed(diagnostics: impl Into<Diagnostics>) -> Self {
        Self { diagnostics: diagnostics.into(), ..Self::default() }
    }
}
