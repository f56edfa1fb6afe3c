//! An ephemeral resource.

use std::time::SystemTime;

use async_trait::async_trait;
use denobridge_core::Diagnostics;
use denobridge_core::cty::Value;
use denobridge_core::provider::Deferred;
use denobridge_core::schema::Schema;

use crate::context::Context;
use crate::private::PrivateData;
use crate::schema::SchemaProblem;

/// An ephemeral resource: something that is there for the time of a run, such as a token, and is stored nowhere.
#[async_trait]
pub trait ErasedEphemeralResource: Send + Sync {
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

    /// Opens it. Private data are for renewing and closing.
    async fn open(&self, context: &Context, config: Value, private: &mut PrivateData) -> Opened;

    /// Keeps it open longer. Called only when [`Opened::renew_at`] or [`Renewed::renew_at`] asked for it.
    async fn renew(&self, context: &Context, private: &mut PrivateData) -> Renewed {
        let _ = (context, private);
        Renewed::default()
    }

    /// Ends it.
    async fn close(&self, context: &Context, private: &PrivateData) -> Diagnostics {
        let _ = (context, private);
        Diagnostics::new()
    }
}

/// What opening came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opened {
    /// The configuration with everything else filled in; `None` with errors, or when the answer is put off.
    pub result: Option<Value>,
    /// When to renew it; `None`: never.
    pub renew_at: Option<SystemTime>,
    /// Why it cannot be opened yet. Only where [`Context::client_capabilities`] allow it.
    pub deferred: Option<Deferred>,
    /// Messages in order.
    pub diagnostics: Diagnostics,
}

/// What renewing came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Renewed {
    /// When to renew it again; `None`: never.
    pub renew_at: Option<SystemTime>,
    /// Messages in order.
    pub diagnostics: Diagnostics,
}
